//! Speed of mobility and of the bound on stable discs.
#![allow(missing_docs, reason = "the macros of criterion make public functions")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use volte::board::{Position, legal_moves, portable_legal_moves, potential_moves, stable_discs};

/// Positions of every phase of the game, as a search meets them.
fn positions() -> Vec<Position> {
    let mut level = vec![Position::START];
    let mut all = Vec::new();
    for ply in 0..55 {
        level = level
            .iter()
            .enumerate()
            .flat_map(|(i, position)| {
                let skip = (i + ply) % 3;
                position.moves().into_iter().skip(skip).take(2).filter_map(|square| position.play(square))
            })
            .take(100)
            .collect();
        all.extend(&level);
    }
    all
}

fn mobility(c: &mut Criterion) {
    let positions = positions();
    let mut group = c.benchmark_group("mobility");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("chosen", |b| {
        b.iter(|| positions.iter().fold(0, |sum, p| sum ^ legal_moves(p.own(), p.opp()).0));
    });
    group.bench_function("portable", |b| {
        b.iter(|| positions.iter().fold(0, |sum, p| sum ^ portable_legal_moves(p.own(), p.opp()).0));
    });
    group.bench_function("potential", |b| {
        b.iter(|| positions.iter().fold(0, |sum, p| sum ^ potential_moves(p.own(), p.opp()).0));
    });
    group.finish();

    // The search asks for stability late in the game only.
    let late: Vec<Position> = positions.into_iter().filter(|p| p.empty_count() <= 20).collect();
    let mut group = c.benchmark_group("stability");
    group.throughput(Throughput::Elements(late.len() as u64));
    group.bench_function("stable discs", |b| {
        b.iter(|| late.iter().fold(0, |sum, p| sum ^ stable_discs(p.own(), p.opp()).0));
    });
    group.finish();
}

criterion_group!(benches, mobility);
criterion_main!(benches);
