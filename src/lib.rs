//! Volte, an Othello engine.
//!
//! The house has layers, bottom first: [`score`] and [`board`]; [`game`], [`eval`], [`table`], [`book`], [`clock`];
//! [`search`]; [`engine`]; [`files`]; [`protocol`]; the uses of the engine; [`cli`]. A module uses only what stands below it.

pub mod analysis;
pub mod arena;
pub mod bench;
pub mod board;
pub mod book;
pub mod cli;
pub mod clock;
pub mod convert;
pub mod engine;
pub mod eval;
pub mod files;
pub mod game;
pub mod memory;
pub mod protocol;
pub mod score;
pub mod search;
pub mod solve;
pub mod stats;
pub mod study;
pub mod table;
pub mod train;
pub mod web;
