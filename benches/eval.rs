//! How long the evaluation takes: keeping features up to date, and adding up the weights.
#![allow(missing_docs, reason = "the macros of criterion write undocumented functions")]

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use volte::board::{Bitboard, Position, Square};
use volte::eval::{CHANNELS, Evaluator, Features, PHASES, Patterns, PhaseWeights, ProbCut, Row, WeightsFile};

/// Positions of random games between 40 and 20 empty squares, each with its features and one of its moves.
fn midgame(patterns: &Patterns) -> Vec<(Position, Features, Square, Bitboard)> {
    let mut state = 5_u64;
    let mut found = Vec::new();
    while found.len() < 1000 {
        let mut position = Position::START;
        while !position.is_over() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let moves: Vec<Square> = position.moves().into_iter().collect();
            if moves.is_empty() {
                position = position.pass();
                continue;
            }
            let square = moves[(state >> 33) as usize % moves.len()];
            let flips = position.flips(square);
            if (20..=40).contains(&position.empty_count()) {
                found.push((position, patterns.features(position), square, flips));
            }
            position = position.play_flips(square, flips);
        }
    }
    found
}

fn evaluation(criterion: &mut Criterion) {
    let row = |phase: usize, i: usize| Row([((i * 7 + phase) % 255) as u8 as i8; CHANNELS]);
    let mut weights = vec![PhaseWeights::zero(); PHASES];
    for (phase, weights) in weights.iter_mut().enumerate() {
        weights.rows.iter_mut().enumerate().for_each(|(i, weight)| *weight = row(phase, i));
    }
    let file = WeightsFile::pack(&weights, ProbCut::FALLBACK, "made up");
    let patterns = Patterns::from_bytes(&file).expect("the file was just packed");
    let positions = midgame(&patterns);
    let mut group = criterion.benchmark_group("eval");
    group.throughput(criterion::Throughput::Elements(positions.len() as u64));
    group.bench_function("features from scratch", |b| {
        b.iter(|| {
            for (position, ..) in &positions {
                black_box(patterns.features(*position));
            }
        });
    });
    group.bench_function("features by a move", |b| {
        b.iter(|| {
            for (position, features, square, flips) in &positions {
                black_box(patterns.play(features, *position, *square, *flips));
            }
        });
    });
    group.bench_function("value", |b| {
        b.iter(|| {
            for (position, features, ..) in &positions {
                black_box(patterns.evaluate(features, *position));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
