//! The training pipeline from outside: the script that trains from nothing, on very little data.

use std::path::Path;
use std::process::Command;
use volte::board::Position;
use volte::eval::{Evaluator, Patterns};

/// Trains from the games in `tests/data/wthor` with so many threads.
fn train(folder: &Path, threads: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let status = Command::new(root.join("scripts/train.sh"))
        .arg("--quick")
        .arg(root.join("tests/data/wthor"))
        .arg(folder)
        .env("VOLTE", env!("CARGO_BIN_EXE_volte"))
        .env("RAYON_NUM_THREADS", threads)
        .envs([
            ("GAMES", "60"),
            ("LINES", "60"),
            ("SELFPLAY", "40"),
            ("PROBES", "40"),
            ("EXACT", "8"),
            ("BANDS", "9-12 57-59"),
        ])
        .output()
        .expect("the script starts");
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
    std::fs::read(folder.join("weights.eval")).expect("the script writes weights")
}

#[test]
fn the_script_trains_from_nothing_and_threads_do_not_change_a_byte() {
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let one = train(folders[0].path(), "1");
    let patterns = Patterns::from_bytes(&one).expect("the weights can be read");
    assert!(patterns.note().contains("exact positions"));
    let start = Position::START;
    assert!(patterns.evaluate(&patterns.features(start), start).discs().abs() < 20.0);
    assert_eq!(train(folders[1].path(), "3"), one);
    // Started again it has nothing left to do, and changes nothing.
    assert_eq!(train(folders[0].path(), "2"), one);
}
