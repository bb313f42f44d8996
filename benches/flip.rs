//! Speed of flips, last-flip counts and the whole rules (perft), per back-end.
#![allow(missing_docs, reason = "the macros of criterion make public functions")]

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use volte::board::{
    Bitboard, Position, Square, flips, last_flip_count, perft, portable_flips, portable_last_flip_count,
};

/// Every legal move of a tree of positions: the work that a search gives to `flips`.
fn moves_of_a_tree() -> Vec<(Square, Bitboard, Bitboard)> {
    let mut level = vec![Position::START];
    let mut moves = Vec::new();
    for ply in 0..40 {
        // A few children of each position keep the tree narrow and varied.
        level = level
            .iter()
            .enumerate()
            .flat_map(|(i, position)| {
                let skip = (i + ply) % 3;
                position.moves().into_iter().skip(skip).take(2).filter_map(|square| position.play(square))
            })
            .take(200)
            .collect();
        for position in &level {
            moves.extend(position.moves().into_iter().map(|square| (square, position.own(), position.opp())));
        }
    }
    moves
}

fn flip(c: &mut Criterion) {
    let moves = moves_of_a_tree();
    let mut group = c.benchmark_group("flip");
    group.throughput(criterion::Throughput::Elements(moves.len() as u64));
    group.bench_function("chosen", |b| {
        b.iter(|| moves.iter().fold(0, |sum, &(square, own, opp)| sum ^ flips(square, own, opp).0));
    });
    group.bench_function("portable", |b| {
        b.iter(|| moves.iter().fold(0, |sum, &(square, own, opp)| sum ^ portable_flips(square, own, opp).0));
    });
    // The next call waits for the answer of the last one, as in a search.
    group.bench_function("chosen, latency", |b| {
        b.iter(|| moves.iter().fold(0, |last, &(square, own, opp)| flips(square, own | Bitboard(last & 1), opp).0));
    });
    group.finish();

    let mut group = c.benchmark_group("last flip");
    group.throughput(criterion::Throughput::Elements(moves.len() as u64));
    group.bench_function("chosen", |b| {
        b.iter(|| moves.iter().fold(0, |sum, &(square, own, _)| sum + last_flip_count(square, own)));
    });
    group.bench_function("portable", |b| {
        b.iter(|| moves.iter().fold(0, |sum, &(square, own, _)| sum + portable_last_flip_count(square, own)));
    });
    group.finish();
}

fn rules(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    group.sample_size(20);
    group.throughput(criterion::Throughput::Elements(3_005_288));
    group.bench_function("9", |b| {
        b.iter_batched(|| Position::START, |start| perft(black_box(start), 9), BatchSize::SmallInput)
    });
    group.finish();
}

criterion_group!(benches, flip, rules);
criterion_main!(benches);
