//! What `volte serve` keeps: every turn, however the server ends, and every game that is not over.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "in a test a failure is a failure")]

mod served;

use serde_json::{Value, json};
use served::{Client, Process, Served, new_game, players};
use std::path::Path;
use std::time::Duration;
use volte::web::Store;

/// A number that looks chosen by chance, the same in every run.
fn next_random(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}

/// Kills the server again and again while games are played. Every turn that a client has seen is there afterwards, the
/// session goes on by itself, and games that have come to their end are among the kept ones, each once.
async fn survive(kills: usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut seed = 0x9e37_79b9_7f4a_7c15;
    let mut server = Process::start(folder.path());
    let mut client = Client::connect_to(server.address, None).await;
    client.ask(new_game(None, Some(0))).await.unwrap();
    let session = client.session.clone();
    let (mut finished, mut turns) = (0, 0);
    for kill in 0..kills {
        for _ in 0..next_random(&mut seed) % 8 {
            if client.state["status"] == "over" {
                finished += 1;
                client.ask(new_game(None, Some(0))).await.unwrap();
            }
            let legal: Vec<_> = client.state["legal"].as_array().unwrap().clone();
            if client.state["status"] == "human" && !legal.is_empty() {
                let mv = &legal[usize::try_from(next_random(&mut seed)).unwrap() % legal.len()];
                client.ask(json!({ "type": "play", "move": mv })).await.unwrap();
                turns += 1;
            }
            // Sometimes the server is killed in the middle of Volte's turn.
            if !next_random(&mut seed).is_multiple_of(4) {
                client.until_state(|state| state["status"] != "engine").await;
            }
        }
        let (seen, ply) = (client.moves(), client.state["ply"].as_u64().unwrap());
        drop(client);
        server.kill();
        server = Process::start(folder.path());
        client = Client::connect_to(server.address, Some(&session)).await;
        assert!(client.restored && client.session == session, "kill {kill}");
        let now = client.moves();
        assert!(now.starts_with(&seen), "kill {kill}: {seen:?} became {now:?}");
        assert!(client.state["ply"].as_u64().unwrap() >= ply, "kill {kill}");
        assert_eq!(client.state["players"]["white"]["level"], 0, "kill {kill}");
        client.until_state(|state| state["status"] != "engine").await;
    }
    if client.state["status"] == "over" {
        finished += 1;
    }
    let games = client.get(json!({ "type": "list_games" }), "games").await;
    assert_eq!(games["total"], finished);
    eprintln!("{kills} kills, {turns} turns of a person, {finished} finished games: nothing lost");
}

#[tokio::test]
async fn a_killed_server_loses_no_turn() {
    survive(6).await;
}

#[tokio::test]
#[ignore = "minutes; `cargo test --release --test web_lasting -- --ignored`"]
async fn a_server_killed_200_times_loses_no_turn() {
    survive(200).await;
}

/// Lines, clocks, the place in the game and whether it counts come back, too.
#[tokio::test]
async fn a_session_comes_back_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let server = Process::start(folder.path());
    let mut client = Client::connect_to(server.address, None).await;
    let clock = json!({ "main_ms": 600_000, "increment_ms": 1000 });
    client.ask(json!({ "type": "new_game", "players": players(None, None), "clock": clock })).await.unwrap();
    for mv in ["f5", "d6", "c3"] {
        client.play(mv).await;
    }
    client.ask(json!({ "type": "go_to", "ply": 1 })).await.unwrap();
    client.play("f6").await;
    client.ask(json!({ "type": "go_to", "ply": 1 })).await.unwrap();
    let before = client.state.clone();
    let session = client.session.clone();
    drop(client);
    server.kill();
    let server = Process::start(folder.path());
    let client = Client::connect_to(server.address, Some(&session)).await;
    for what in ["board", "turns", "ply", "lines", "line", "players", "clock", "status", "result", "rated"] {
        assert_eq!(client.state[what], before[what], "{what}");
    }
    let left = |state: &Value| state["time_left_ms"]["white"].as_u64().unwrap();
    assert!(left(&before).abs_diff(left(&client.state)) < 5000, "{}", client.state["time_left_ms"]);
}

#[tokio::test]
async fn games_that_are_not_over_are_offered_wherever_they_were_left() {
    let served = Served::start();
    let mut one = Client::connect(&served, None).await;
    one.ask(new_game(None, Some(1))).await.unwrap();
    one.play("f5").await;
    one.until_state(|state| state["ply"] == 2).await;
    let session = one.session.clone();
    drop(one);
    // A tab that is opened then.
    let mut two = Client::connect(&served, None).await;
    let open = two.get(json!({ "type": "list_open" }), "open_games").await;
    let game = &open["games"][0];
    assert_eq!((&game["session"], &game["ply"], &game["game"]), (&json!(session), &json!(2), &Value::Null));
    assert_eq!((&game["players"]["white"]["level"], open["games"].as_array().unwrap().len()), (&json!(1), 1));
    let one = Client::connect(&served, Some(&session)).await;
    assert!(one.resumed && !one.restored);
    // One that another game has replaced is among the kept ones.
    two.play("f5").await;
    two.ask(new_game(None, None)).await.unwrap();
    let open = two.get(json!({ "type": "list_open" }), "open_games").await;
    let kept = open["games"].as_array().unwrap().iter().find(|game| game["session"].is_null()).unwrap().clone();
    // Gone on with, it stays one game.
    two.ask(json!({ "type": "open_game", "game": kept["game"] })).await.unwrap();
    two.play("d6").await;
    two.ask(json!({ "type": "resign" })).await.unwrap();
    let games = two.get(json!({ "type": "list_games" }), "games").await;
    assert_eq!((&games["total"], &games["games"][0]["game"]), (&json!(1), &kept["game"]));
    assert_eq!((&games["games"][0]["ending"], &games["games"][0]["moves"]), (&json!("resigned"), &json!(2)));
    let open = two.get(json!({ "type": "list_open" }), "open_games").await;
    assert_eq!(open["games"].as_array().unwrap().len(), 1);
}

/// What was tried beside a game is there when it is opened again.
#[tokio::test]
async fn the_tree_of_a_game_is_kept_with_it() {
    let served = Served::start();
    let mut client = Client::connect(&served, None).await;
    client.ask(new_game(None, None)).await.unwrap();
    for mv in ["f5", "d6", "c3", "d3"] {
        client.play(mv).await;
    }
    client.ask(json!({ "type": "resign" })).await.unwrap();
    let games = client.get(json!({ "type": "list_games" }), "games").await;
    let number = games["games"][0]["game"].clone();
    client.ask(json!({ "type": "explore", "moves": ["f6", "e6"], "at": 1 })).await.unwrap();
    assert_eq!(
        (client.moves(), &client.state["status"]),
        (vec!["f5".into(), "f6".into(), "e6".into()], &json!("human"))
    );
    let error = client.ask(json!({ "type": "explore", "moves": ["a1"], "at": 1 })).await.unwrap_err();
    assert_eq!(error["code"], "illegal_move");
    client.ask(new_game(None, None)).await.unwrap();
    client.ask(json!({ "type": "open_game", "game": number })).await.unwrap();
    assert_eq!((client.moves().concat(), &client.state["result"]["ending"]), ("f5d6c3d3".into(), &json!("resigned")));
    let lines = client.state["lines"].as_array().unwrap();
    assert_eq!((lines.len(), &lines[1]["moves"]), (2, &json!(["f6", "e6"])));
    let games = client.get(json!({ "type": "list_games" }), "games").await;
    assert_eq!(games["total"], 1);
}

#[tokio::test]
async fn kept_games_are_found_by_words() {
    let served = Served::start();
    let mut client = Client::connect(&served, None).await;
    let text = "[Black \"Зоя\"]\n[White \"Ann\"]\n\n1. f5 d6 *\n\n[Black \"Bob\"]\n[White \"Ann\"]\n\n1. d3 c5 *\n";
    client.ask(json!({ "type": "import_games", "text": text })).await.unwrap();
    for (words, total) in [("", 2), ("ann", 2), ("ЗОЯ", 1), ("ann bob", 1), ("f5d6", 1), ("nobody", 0)] {
        let games = client.get(json!({ "type": "list_games", "search": words }), "games").await;
        assert_eq!((&games["total"], games["games"].as_array().unwrap().len()), (&json!(total), total), "{words}");
    }
}

/// An older file is brought up to date, and what it holds stays.
#[tokio::test]
async fn a_store_of_the_first_version_is_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sqlite");
    old_store(&path);
    let served = Served::with(Store::open(&path).unwrap(), Duration::from_secs(3600));
    let mut client = Client::connect(&served, None).await;
    let games = client.get(json!({ "type": "list_games" }), "games").await;
    assert_eq!((&games["total"], &games["games"][0]["names"]["black"]), (&json!(1), &json!("Ann")));
}

fn old_store(path: &Path) {
    let connection = rusqlite::Connection::open(path).unwrap();
    connection
        .execute_batch(
            "CREATE TABLE games (id INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL DEFAULT (unixepoch()),
             transcript TEXT NOT NULL, black_name TEXT NOT NULL, white_name TEXT NOT NULL, players TEXT, human TEXT,
             winner TEXT, score INTEGER, ending TEXT NOT NULL, moves INTEGER NOT NULL,
             starred INTEGER NOT NULL DEFAULT 0, rated_level INTEGER);
             CREATE TABLE settings (id INTEGER PRIMARY KEY CHECK (id = 0), value TEXT NOT NULL);
             INSERT INTO games (transcript, black_name, white_name, ending, moves)
             VALUES ('f5d6', 'Ann', 'Bob', '\"unfinished\"', 2);
             PRAGMA user_version = 1;",
        )
        .unwrap();
}
