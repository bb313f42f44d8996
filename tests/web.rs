//! The interface of `volte serve`, over real WebSockets.

mod served;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use served::{Client, Served, new_game, players};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::{Message, client::IntoClientRequest};
use volte::web::Store;
use volte::web::assets::ASSETS;

/// The shortest game that forces a pass.
const TO_A_PASS: [&str; 8] = ["d3", "c3", "b3", "b2", "f5", "a3", "a1", "c1"];
/// Nine moves after which white has no disc left.
const SHORT_GAME: [&str; 9] = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"];

#[test]
fn the_published_schema_is_that_of_the_messages() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/web-api.schema.json");
    let schema = volte::web::schema::text();
    if std::env::var_os("VOLTE_BLESS").is_some() {
        std::fs::write(path, &schema).unwrap();
    }
    assert!(std::fs::read_to_string(path).unwrap() == schema, "run the test with VOLTE_BLESS=1");
}

/// Every text is in every language with a form for each kind of number, and every text that the page asks for is there.
#[test]
fn every_language_has_every_text() {
    let file = |path: &str| {
        let asset = ASSETS.iter().find(|asset| asset.path == path).unwrap();
        std::str::from_utf8(asset.bytes).unwrap()
    };
    let table = |path: &str| -> serde_json::Map<String, Value> { serde_json::from_str(file(path)).unwrap() };
    let keys = |path: &str| -> BTreeSet<String> { table(path).keys().cloned().collect() };
    let english = keys("/texts/en.json");
    let languages = [("en", &["one", "other"][..]), ("ja", &["other"]), ("ru", &["one", "few", "many", "other"])];
    let offered = ASSETS.iter().filter(|asset| asset.path.starts_with("/texts/")).count();
    assert_eq!(offered, languages.len());
    for (language, forms) in languages {
        let path = format!("/texts/{language}.json");
        let table = table(&path);
        let own: BTreeSet<_> = table.keys().cloned().collect();
        assert_eq!(own.symmetric_difference(&english).collect::<Vec<_>>(), Vec::<&String>::new(), "{language}");
        for (key, text) in &table {
            let texts: Vec<&Value> = match text {
                Value::Object(plural) => forms.iter().map(|form| &plural[*form]).collect(),
                text => vec![text],
            };
            assert!(texts.iter().all(|text| text.is_string()), "{language}: `{key}`");
            // A word that is the same in English was forgotten, but for names and signs.
            let is_said =
                texts.iter().any(|text| text.as_str().unwrap().chars().any(|c| c.is_alphabetic() && !c.is_ascii()));
            let is_name = key.starts_with("opening_") || key.starts_with("format_") || key == "numbers_end";
            let is_empty = texts.iter().all(|text| text == &"");
            assert!(language == "en" || is_said || is_name || is_empty, "{language}: `{key}` is not translated");
        }
    }
    for opening in volte::game::named::all() {
        assert!(english.contains(&format!("opening_{}", opening.name)), "{}", opening.name);
    }
    for asset in ASSETS.iter().filter(|asset| asset.path.ends_with(".js")) {
        let script = file(asset.path);
        for (at, start) in script.match_indices("t(\"") {
            let is_call = !script[..at].ends_with(|c: char| c.is_alphanumeric() || c == '.');
            let key = script[at + start.len()..].split('"').next().unwrap();
            assert!(!is_call || english.contains(key), "{}: `{key}`", asset.path);
        }
    }
}

/// What a browser loads, before any compression: everything but the tables of other languages.
#[test]
fn the_page_is_light() {
    let bytes = |is_table| -> Vec<usize> {
        let of_kind = ASSETS.iter().filter(|asset| asset.path.starts_with("/texts/") == is_table);
        of_kind.map(|asset| asset.bytes.len()).collect()
    };
    let bytes = bytes(false).iter().sum::<usize>() + bytes(true).iter().max().unwrap();
    eprintln!("the page weighs {bytes} bytes");
    assert!(bytes < 150_000, "{bytes}");
}

#[tokio::test]
async fn a_person_plays_the_engine_and_takes_back() {
    let served = Served::start();
    let mut client = Client::connect(&served, None).await;
    client.ask(new_game(None, Some(1))).await.unwrap();
    assert_eq!((&client.state["status"], &client.state["rated"]), (&json!("human"), &json!(true)));
    client.play("f5").await;
    client.until_state(|state| state["ply"] == 2).await;
    client.ask(json!({ "type": "undo" })).await.unwrap();
    assert_eq!((&client.state["ply"], &client.state["rated"]), (&json!(0), &json!(false)));
    assert!(client.ask(json!({ "type": "undo" })).await.unwrap_err()["code"] == "no_such_turn");
    client.ask(json!({ "type": "redo" })).await.unwrap();
    assert_eq!((&client.state["ply"], &client.state["status"]), (&json!(2), &json!("human")));
    // Another move keeps the line.
    client.ask(json!({ "type": "undo" })).await.unwrap();
    client.play("d3").await;
    client.until_state(|state| state["ply"] == 2).await;
    assert_eq!(client.state["lines"].as_array().unwrap().len(), 2);
    client.ask(json!({ "type": "line", "line": 0 })).await.unwrap();
    assert_eq!((client.moves()[0].as_str(), &client.state["ply"]), ("f5", &json!(0)));
    let error = client.ask(json!({ "type": "play", "move": "a1" })).await.unwrap_err();
    assert_eq!(error["code"], "illegal_move");
    assert_eq!(error["message"], "illegal move a1: it turns no disc for black");
    let error = client.ask(json!({ "type": "play", "move": "f5", "at": 7 })).await.unwrap_err();
    assert_eq!(error["code"], "not_your_turn");
}

#[tokio::test]
async fn undo_and_redo_work_while_the_engine_thinks() {
    let served = Served::start();
    let mut client = Client::connect(&served, None).await;
    client.ask(new_game(None, Some(60))).await.unwrap();
    for _ in 0..3 {
        client.play("f5").await;
        assert_eq!(client.state["status"], "engine");
        let error = client.ask(json!({ "type": "play", "move": "d6" })).await.unwrap_err();
        assert_eq!(error["code"], "not_your_turn");
        assert_eq!(client.state["busy"], "move");
        client.ask(json!({ "type": "undo" })).await.unwrap();
        assert_eq!((&client.state["ply"], &client.state["busy"]), (&json!(0), &Value::Null));
    }
    client.ask(json!({ "type": "redo" })).await.unwrap();
    assert_eq!((&client.state["ply"], &client.state["status"]), (&json!(1), &json!("engine")));
    client.ask(json!({ "type": "stop" })).await.unwrap();
    assert_eq!(client.state["status"], "paused");
    client.ask(json!({ "type": "resume" })).await.unwrap();
    client.ask(json!({ "type": "move_now" })).await.unwrap();
    client.until_state(|state| state["ply"] == 2).await;
    assert_eq!(client.state["status"], "human");
}

/// Without a book, level 60 would think for ever about the first move.
#[tokio::test]
async fn a_high_level_opens_from_the_book() {
    let served = Served::with_book();
    let mut client = Client::connect(&served, None).await;
    client.ask(new_game(Some(60), None)).await.unwrap();
    client.until_state(|state| state["ply"] == 1).await;
    client
        .ask(json!({ "type": "new_game", "players": players(None, None),
        "start": { "kind": "text", "text": "f5d6c3d3c4f4" } }))
        .await
        .unwrap();
    assert!(client.state["opening"].is_string(), "{}", client.state);
}

#[tokio::test]
async fn forced_passes_happen_by_themselves_or_wait() {
    let served = Served::start();
    let mut client = Client::connect(&served, None).await;
    client.ask(new_game(None, None)).await.unwrap();
    for mv in TO_A_PASS {
        client.play(mv).await;
    }
    assert!(client.heard.iter().any(|event| event["notice"] == "passed" && event["side"] == "black"));
    assert_eq!((&client.state["ply"], &client.state["board"]["side"]), (&json!(9), &json!("white")));
    client.ask(json!({ "type": "undo" })).await.unwrap();
    assert_eq!((&client.state["ply"], &client.state["board"]["side"]), (&json!(7), &json!("white")));

    let settings = client.get(json!({ "type": "set_settings", "settings": { "auto_pass": false } }), "settings").await;
    assert_eq!(settings["settings"]["auto_pass"], false);
    client.play("c1").await;
    assert_eq!((&client.state["ply"], &client.state["must_pass"]), (&json!(8), &json!(true)));
    assert!(client.ask(json!({ "type": "play", "move": "e3" })).await.is_err());
    client.play("pass").await;
    assert_eq!((&client.state["ply"], &client.state["must_pass"]), (&json!(9), &json!(false)));
}

#[tokio::test]
async fn what_is_no_request_gets_an_error_and_breaks_nothing() {
    let served = Served::start();
    let mut client = Client::connect(&served, None).await;
    client.play("f5").await;
    for bad in [
        "",
        "hello",
        "[]",
        "{}",
        r#"{"id":3}"#,
        r#"{"id":3,"intent":{"type":"fly"}}"#,
        r#"{"id":3,"intent":{"type":"play"}}"#,
        r#"{"id":3,"intent":{"type":"play","move":5}}"#,
        r#"{"id":3,"intent":{"type":"play","move":"d6","extra":1}}"#,
        r#"{"id":3,"intent":{"type":"go_to","ply":-1}}"#,
        r#"{"id":3,"intent":{"type":"undo"},"more":true}"#,
        "{\"id\":3,\"intent\":{\"type\":\"undo\"}",
        &"[".repeat(100_000),
    ] {
        client.send_raw(Message::text(bad)).await;
        let error = client.next().await;
        assert_eq!((&error["type"], &error["code"]), (&json!("error"), &json!("malformed")), "{bad}");
        // The number comes back if the text is JSON at all.
        assert_eq!(error["id"] == 3, bad.contains("id") && serde_json::from_str::<Value>(bad).is_ok(), "{bad}");
    }
    client.send_raw(Message::binary(vec![1, 2, 3])).await;
    assert_eq!(client.next().await["code"], "malformed");
    client.send_raw(Message::text("x".repeat(2 << 20))).await;
    assert_eq!(client.next().await["code"], "too_long");
    let far = json!({ "kind": "engine", "level": 61 });
    let error = client.ask(json!({ "type": "set_players", "players": { "black": far, "white": far } })).await;
    assert_eq!(error.unwrap_err()["code"], "out_of_range");
    let error = client.ask(json!({ "type": "go_to", "ply": 99 })).await.unwrap_err();
    assert_eq!(error["code"], "no_such_turn");
    client.play("d6").await;
    assert_eq!(client.moves(), ["f5", "d6"]);
}

#[tokio::test]
async fn a_message_too_long_to_read_ends_the_connection_but_not_the_game() {
    let served = Served::start();
    let mut client = Client::connect(&served, None).await;
    client.play("f5").await;
    let session = client.session.clone();
    client.flood(8 << 20).await;
    let client = Client::connect(&served, Some(&session)).await;
    assert!(client.resumed);
    assert_eq!(client.moves(), ["f5"]);
}

#[tokio::test]
async fn other_sites_are_turned_away() {
    let served = Served::start();
    let status = async |origin: Option<&str>, host: Option<&str>| {
        let mut request = format!("ws://{}/ws", served.address).into_client_request().unwrap();
        for (name, value) in [("origin", origin), ("host", host)] {
            if let Some(value) = value {
                request.headers_mut().insert(name, value.parse().unwrap());
            }
        }
        connect_async(request).await.is_ok()
    };
    let own = served.url.trim_end_matches('/').to_owned();
    assert!(status(None, None).await);
    assert!(status(Some(&own), None).await);
    assert!(!status(Some("http://evil.example"), None).await);
    assert!(!status(Some("null"), None).await);
    assert!(!status(Some("http://evil.example"), Some("evil.example")).await);
    assert!(!status(None, Some("evil.example")).await);
    let page = |host: &str| {
        let mut stream = std::net::TcpStream::connect(served.address).unwrap();
        write!(stream, "GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        reply
    };
    assert!(page(&served.address.to_string()).starts_with("HTTP/1.1 200"));
    assert!(page("evil.example").starts_with("HTTP/1.1 403"));
}

#[tokio::test]
async fn other_machines_need_the_token() {
    let served = Served::open_to_all();
    let (_, token) = served.url.split_once("?token=").unwrap();
    let opens = async |query: &str| connect_async(format!("ws://{}/ws{query}", served.address)).await.is_ok();
    assert!(opens(&format!("?token={token}")).await);
    assert!(!opens("").await);
    assert!(!opens("?token=guess").await);
}

#[tokio::test]
async fn a_session_survives_a_reload_and_is_shared_by_tabs() {
    let served = Served::start();
    let mut one = Client::connect(&served, None).await;
    one.play("f5").await;
    let mut two = Client::connect(&served, Some(&one.session.clone())).await;
    assert!(two.resumed && two.moves() == ["f5"]);
    two.play("d6").await;
    one.until_state(|state| state["ply"] == 2).await;
    let other = Client::connect(&served, None).await;
    assert!(!other.resumed && other.moves().is_empty());
    let unknown = Client::connect(&served, Some("nobody")).await;
    assert!(!unknown.resumed && unknown.session != "nobody");
    let session = one.session.clone();
    drop((one, two));
    assert_eq!(Client::connect(&served, Some(&session)).await.moves(), ["f5", "d6"]);
}

#[tokio::test]
async fn idle_sessions_end_and_their_games_go_on() {
    let served = Served::with(Store::in_memory().unwrap(), Duration::from_millis(300));
    let mut client = Client::connect(&served, None).await;
    client.play("f5").await;
    let session = client.session.clone();
    drop(client);
    let mut visits = 0;
    let mut client = loop {
        tokio::time::sleep(Duration::from_millis(800)).await;
        let client = Client::connect(&served, Some(&session)).await;
        if client.restored {
            break client;
        }
        // Only a machine that is very busy has not got round to it.
        visits += 1;
        assert!(visits < 10);
    };
    assert_eq!((client.moves(), client.resumed), (vec!["f5".to_owned()], true));
    let games = client.get(json!({ "type": "list_games" }), "games").await;
    assert_eq!((&games["total"], &games["games"][0]["ending"]), (&json!(1), &json!("unfinished")));
    assert_eq!(games["games"][0]["session"], session);
    client.play("d6").await;
    client.ask(json!({ "type": "resign" })).await.unwrap();
    let games = client.get(json!({ "type": "list_games" }), "games").await;
    assert_eq!((&games["total"], &games["games"][0]["ending"]), (&json!(1), &json!("resigned")));
}

/// In a game that counts nobody hears what Volte thinks; in others everybody does.
#[tokio::test]
async fn the_thoughts_of_a_rated_opponent_stay_hidden() {
    let served = Served::start();
    let mut client = Client::connect(&served, None).await;
    for (undone, told) in [(false, false), (true, true)] {
        client.ask(new_game(None, Some(6))).await.unwrap();
        client.play("f5").await;
        client.until_state(|state| state["ply"] == 2).await;
        if undone {
            client.ask(json!({ "type": "undo" })).await.unwrap();
            client.play("d3").await;
            client.until_state(|state| state["ply"] == 2).await;
        }
        assert_eq!(client.state["rated"], !told);
        assert_eq!(client.heard.iter().any(|event| event["type"] == "thinking"), told);
    }
}

#[tokio::test]
async fn a_board_on_which_nobody_can_move_is_no_game() {
    let served = Served::start();
    let mut client = Client::connect(&served, None).await;
    let empty = "-".repeat(64);
    let one = format!("X{}", "-".repeat(63));
    let black = format!("XXX{}", "-".repeat(61));
    for cells in [empty, one, black] {
        let start = json!({ "kind": "board", "board": { "cells": cells, "side": "black" } });
        let error = client.ask(json!({ "type": "new_game", "players": players(None, None), "start": start })).await;
        assert_eq!(error.unwrap_err()["code"], "unplayable");
    }
}

/// What is pasted is read as one game, as several to choose from, as a link or as a file; what cannot be read is told in
/// a form that can be said in any language.
#[tokio::test]
async fn pasted_text_is_read_whole() {
    let served = Served::start();
    let mut client = Client::connect(&served, None).await;
    let preview =
        async |client: &mut Client, text: &str| client.get(json!({ "type": "preview", "text": text }), "preview").await;
    for text in
        ["f5\nd6\nc3", "f5 d6\nc3", "1. f5\n2. d6\n3. c3\n", "http://127.0.0.1:8064/#game=f5d6c3&variant=othello&at=1"]
    {
        let found = preview(&mut client, text).await;
        assert_eq!((&found["moves"], &found["total"], &found["faults"]), (&json!(3), &json!(1), &json!([])), "{text}");
    }
    let ggf = |name: &str, moves: &str| {
        format!(
            "(;GM[Othello]PC[x]PB[{name}]PW[Bo]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]{moves};)"
        )
    };
    let two = format!("{}\n{}", ggf("Ann", "B[f5]W[d6]"), ggf("Zoe", "B[d3]"));
    let found = preview(&mut client, &two).await;
    assert_eq!((&found["total"], &found["games"][1]["names"]["black"]), (&json!(2), &json!("Zoe")));
    let start = json!({ "kind": "text", "text": two, "game": 1 });
    client.ask(json!({ "type": "new_game", "players": players(None, None), "start": start })).await.unwrap();
    assert_eq!(client.moves(), ["d3"]);
    // The same as a file.
    let url = format!("data:text/plain;base64,{}", BASE64_STANDARD.encode(&two));
    assert_eq!(preview(&mut client, &url).await["total"], 2);
    for (text, kind, number) in
        [("f5f5", "occupied", 2), ("f5d6 hello", "not_a_move", 3), ("d3d4", "occupied", 2), ("a1", "no_flips", 1)]
    {
        let error = client.ask(json!({ "type": "preview", "text": text })).await.unwrap_err();
        assert_eq!((&error["code"], &error["fault"]["kind"]), (&json!("unreadable"), &json!(kind)), "{text}");
        assert_eq!(error["fault"]["number"], number, "{text}");
    }
    let error = client.ask(json!({ "type": "preview", "text": " " })).await.unwrap_err();
    assert_eq!(error["fault"]["kind"], "empty");
}

#[tokio::test]
async fn a_game_in_progress_is_kept_when_another_replaces_it() {
    let served = Served::start();
    let mut client = Client::connect(&served, None).await;
    let list = async |client: &mut Client| client.get(json!({ "type": "list_games" }), "games").await;
    client.ask(new_game(None, None)).await.unwrap();
    assert_eq!(list(&mut client).await["total"], 0, "a game without moves is nothing to keep");
    client.play("f5").await;
    client.play("d6").await;
    // A request that is refused changes nothing.
    let bad = json!({ "type": "new_game", "players": players(None, None), "start": { "kind": "text", "text": "a1" } });
    client.ask(bad).await.unwrap_err();
    assert_eq!((client.moves().len(), &list(&mut client).await["total"]), (2, &json!(0)));

    let kept = client.get(new_game(None, None), "notice").await;
    let games = list(&mut client).await;
    let first = games["games"][0]["game"].clone();
    assert_eq!((&games["total"], &games["games"][0]["ending"]), (&json!(1), &json!("unfinished")));
    assert_eq!((&kept["notice"], &kept["game"]), (&json!("kept"), &first));

    client.play("f5").await;
    client.ask(json!({ "type": "open_game", "game": first })).await.unwrap();
    assert_eq!((client.moves(), &list(&mut client).await["total"]), (vec!["f5".into(), "d6".into()], &json!(2)));
    // One that was opened and left as it was is there already.
    client.ask(new_game(None, None)).await.unwrap();
    assert_eq!(list(&mut client).await["total"], 2);
}

#[tokio::test]
async fn games_are_kept_listed_starred_exported_and_imported() {
    let served = Served::start();
    let mut client = Client::connect(&served, None).await;
    client.ask(json!({ "type": "set_settings", "settings": { "name": "Ann" } })).await.unwrap();
    client.ask(new_game(None, Some(0))).await.unwrap();
    client.play("f5").await;
    client.until_state(|state| state["ply"] == 2).await;
    let kept = client.get(json!({ "type": "resign" }), "notice").await;
    assert!(kept["notice"] == "kept" && kept["rating"].is_i64(), "{kept}");
    assert_eq!(client.state["result"], json!({ "winner": "white", "score": null, "ending": "resigned" }));
    assert_eq!(client.ask(json!({ "type": "resign" })).await.unwrap_err()["code"], "game_over");

    client.ask(new_game(None, None)).await.unwrap();
    for mv in SHORT_GAME {
        client.play(mv).await;
    }
    assert_eq!(client.state["result"], json!({ "winner": "black", "score": 64, "ending": "played" }));
    assert_eq!(client.state["status"], "over");
    let games = client.get(json!({ "type": "list_games" }), "games").await;
    assert_eq!(games["total"], 2);
    let (short, resigned) = (&games["games"][0], &games["games"][1]);
    assert_eq!((&short["moves"], &short["winner"], &short["human"]), (&json!(9), &json!("black"), &Value::Null));
    assert_eq!(resigned["names"], json!({ "black": "Ann", "white": "Volte level 0" }));
    assert_eq!((&resigned["human"], &resigned["rated"]), (&json!("black"), &json!(true)));
    let rating = client.get(json!({ "type": "rating" }), "rating").await;
    assert_eq!((&rating["games"], &rating["course"][0]["half_points"]), (&json!(1), &json!(0)));

    client.ask(json!({ "type": "star_game", "game": short["game"], "starred": true })).await.unwrap();
    let starred = client.get(json!({ "type": "list_games", "starred": true }), "games").await;
    assert_eq!((&starred["total"], &starred["games"][0]["game"]), (&json!(1), &short["game"]));

    for format in ["transcript", "ggf", "sgf", "pgn"] {
        let text = client.get(json!({ "type": "export_games", "games": [], "format": format }), "text").await;
        let imported = client.get(json!({ "type": "import_games", "text": text["text"] }), "imported").await;
        let count = client.get(json!({ "type": "list_games" }), "games").await["total"].clone();
        assert_eq!(
            (&imported["skipped"], imported["kept"].as_u64().unwrap() * 2),
            (&json!([]), count.as_u64().unwrap())
        );
    }
    let text = client.get(json!({ "type": "export", "format": "transcript" }), "text").await;
    assert_eq!(text["text"].as_str().unwrap().trim(), SHORT_GAME.concat());

    client.ask(json!({ "type": "open_game", "game": short["game"] })).await.unwrap();
    assert_eq!((client.moves().len(), &client.state["status"]), (9, &json!("over")));
    client.ask(json!({ "type": "delete_game", "game": short["game"] })).await.unwrap();
    let error = client.ask(json!({ "type": "open_game", "game": short["game"] })).await.unwrap_err();
    assert_eq!(error["code"], "no_such_game");
}

#[tokio::test]
async fn games_start_from_boards_texts_and_handicaps() {
    let served = Served::start();
    let mut client = Client::connect(&served, None).await;
    let start = async |client: &mut Client, start: Value| {
        client.ask(json!({ "type": "new_game", "players": players(None, None), "start": start })).await
    };
    start(&mut client, json!({ "kind": "handicap", "corners": 2 })).await.unwrap();
    assert_eq!((&client.state["discs"]["black"], &client.state["board"]["side"]), (&json!(4), &json!("white")));
    let cells = format!("{}OX------XO{}", "-".repeat(27), "-".repeat(27));
    start(&mut client, json!({ "kind": "board", "board": { "cells": cells, "side": "white" } })).await.unwrap();
    assert_eq!(client.state["board"], json!({ "cells": cells, "side": "white" }));
    start(&mut client, json!({ "kind": "text", "text": "1. F5 d6 2. c3" })).await.unwrap();
    assert_eq!(client.moves(), ["f5", "d6", "c3"]);
    let error = start(&mut client, json!({ "kind": "text", "text": "d3d4" })).await.unwrap_err();
    assert!(error["message"].as_str().unwrap().contains("`d4` is illegal"), "{error}");
    assert!(start(&mut client, json!({ "kind": "handicap", "corners": 5 })).await.is_err());
    assert_eq!(client.moves().len(), 3);
    let preview = client.get(json!({ "type": "preview", "text": "f5d6" }), "preview").await;
    assert_eq!((&preview["moves"], &preview["format"]), (&json!(2), &json!("transcript")));
    let preview = client.get(json!({ "type": "preview", "text": format!("{cells} O") }), "preview").await;
    assert_eq!((&preview["moves"], &preview["format"]), (&json!(0), &json!("board")));
}

/// Everything that the page offers is taken, and what it could not show is refused by name.
#[tokio::test]
async fn settings_that_the_page_does_not_know_are_refused() {
    let served = Served::start();
    let mut client = Client::connect(&served, None).await;
    let script = ASSETS.iter().find(|asset| asset.path == "/settings.js").unwrap();
    let script = std::str::from_utf8(script.bytes).unwrap();
    for (setting, list) in [("board", "BOARDS"), ("discs", "DISCS")] {
        let (_, after) = script.split_once(&format!("const {list} = ")).unwrap();
        let offered: Vec<String> = serde_json::from_str(after.split(';').next().unwrap()).unwrap();
        assert!(offered.len() > 1);
        for value in offered {
            client.ask(json!({ "type": "set_settings", "settings": { setting: value } })).await.unwrap();
        }
    }
    client.ask(json!({ "type": "set_settings", "settings": { "language": "ru", "name": "Зоя" } })).await.unwrap();
    for (setting, bad, shown) in [
        ("board", "pink", "board `pink`"),
        ("discs", "", "discs ``"),
        ("language", "tlh", "language `tlh`"),
        ("language", "", "language ``"),
        ("name", "a\u{7}b", "name `a\\u{7}b`"),
        ("name", "a\nb", "name `a\\nb`"),
    ] {
        let error = client.ask(json!({ "type": "set_settings", "settings": { setting: bad } })).await.unwrap_err();
        assert!(error["code"] == "out_of_range" && error["message"].as_str().unwrap().contains(shown), "{error}");
    }
}

#[tokio::test]
async fn hints_analysis_and_review_tell_what_they_find() {
    let served = Served::start();
    let mut client = Client::connect(&served, None).await;
    client.ask(json!({ "type": "set_settings", "settings": { "hint_level": 4 } })).await.unwrap();
    client.ask(json!({ "type": "hint", "lines": 4 })).await.unwrap();
    client.until(|event| event["type"] == "thinking_done").await;
    let hints = client.heard.iter().rev().find(|event| event["type"] == "thinking").unwrap();
    assert_eq!((&hints["purpose"], hints["lines"].as_array().unwrap().len()), (&json!("hint"), 4));
    // Analysis follows the game until it is switched off.
    client.ask(json!({ "type": "analyze", "lines": 2 })).await.unwrap();
    for (ply, mv) in ["f5", "d6"].into_iter().enumerate() {
        client.until(|event| event["type"] == "thinking" && event["ply"] == ply).await;
        client.play(mv).await;
    }
    client.ask(json!({ "type": "analyze", "lines": 0 })).await.unwrap();
    assert_eq!(client.state["busy"], Value::Null);
    client
        .ask(json!({ "type": "new_game", "players": players(None, None),
        "start": { "kind": "text", "text": SHORT_GAME.concat() } }))
        .await
        .unwrap();
    client.ask(json!({ "type": "review" })).await.unwrap();
    let review = client.until(|event| event["type"] == "review" && event["finished"] == true).await;
    let points = review["points"].as_array().unwrap();
    let last = points.iter().find(|point| point["ply"] == 8).unwrap();
    assert_eq!((points.len(), &last["move"], &last["score"]), (9, &json!("c5"), &json!(64.0)));
    assert!(points.iter().any(|point| point["loss"].as_f64().unwrap() > 5.0));
}

#[tokio::test]
async fn a_clock_that_runs_out_loses_the_game() {
    let served = Served::start();
    let mut client = Client::connect(&served, None).await;
    let clock = json!({ "main_ms": 2000, "increment_ms": 0 });
    client.ask(json!({ "type": "new_game", "players": players(None, Some(0)), "clock": clock })).await.unwrap();
    assert_eq!(client.state["clock_running"], "black");
    client.play("f5").await;
    client.until_state(|state| state["ply"] == 2).await;
    let before = Instant::now();
    client.until_state(|state| state["status"] == "over").await;
    assert_eq!(client.state["result"], json!({ "winner": "white", "score": null, "ending": "timeout" }));
    assert!(before.elapsed() < Duration::from_secs(20));
    // Whatever takes the loss back, the game can be played on.
    client.ask(json!({ "type": "undo" })).await.unwrap();
    assert_eq!((&client.state["ply"], &client.state["clock"]), (&json!(0), &Value::Null));
    client.play("d3").await;
    client.until_state(|state| state["ply"] == 2).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    client.ask(json!({ "type": "stop" })).await.unwrap();
    assert_eq!((&client.state["status"], &client.state["result"]), (&json!("human"), &Value::Null));
}

/// To go to an earlier turn is not yet to take the loss back: the clock stands, and another move goes on without it.
#[tokio::test]
async fn a_game_lost_on_time_is_left_by_another_move() {
    let served = Served::start();
    let mut client = Client::connect(&served, None).await;
    let clock = json!({ "main_ms": 1000, "increment_ms": 0 });
    client.ask(json!({ "type": "new_game", "players": players(None, None), "clock": clock })).await.unwrap();
    client.until_state(|state| state["clock_running"] == "black").await;
    client.play("f5").await;
    client.play("d6").await;
    client.until_state(|state| state["status"] == "over").await;
    client.ask(json!({ "type": "go_to", "ply": 0 })).await.unwrap();
    client.ask(json!({ "type": "redo" })).await.unwrap();
    assert_eq!((&client.state["ply"], &client.state["clock_running"]), (&json!(1), &Value::Null));
    client.play("f6").await;
    client.play("e6").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    client.ask(json!({ "type": "stop" })).await.unwrap();
    assert_eq!((&client.state["status"], &client.state["result"]), (&json!("human"), &Value::Null));
}

#[tokio::test]
async fn a_draw_is_agreed_by_two_persons_and_declined_by_an_engine_early() {
    let served = Served::start();
    let mut client = Client::connect(&served, None).await;
    client.ask(json!({ "type": "set_settings", "settings": { "hint_level": 3 } })).await.unwrap();
    client.ask(new_game(None, Some(1))).await.unwrap();
    client.ask(json!({ "type": "offer_draw" })).await.unwrap();
    client.until(|event| event["notice"] == "draw_declined").await;
    assert_eq!(client.state["result"], Value::Null);
    client.ask(new_game(None, None)).await.unwrap();
    client.play("f5").await;
    client.ask(json!({ "type": "offer_draw" })).await.unwrap();
    assert_eq!(client.state["result"], json!({ "winner": null, "score": null, "ending": "agreed" }));
}

/// What the system sends to end a server is no loss of the game on the board; other machines are told an address.
#[cfg(unix)]
#[tokio::test]
async fn the_command_keeps_the_game_when_the_system_ends_it() {
    for signal in ["-TERM", "-HUP"] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_volte"));
        command.args(["serve", "--no-open", "--port", "0", "--host", "0.0.0.0", "--data"]).arg(folder.path());
        let mut server = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(server.stdout.take().unwrap()).lines().map(Result::unwrap);
        let url = lines.next().unwrap().trim_start_matches("Volte plays at http://").to_owned();
        let elsewhere = lines.next().unwrap();
        assert!(elsewhere.starts_with("On other machines") && !elsewhere.contains("//127."), "{elsewhere}");
        let (socket, _) = connect_async(format!("ws://{}", url.replace("/?", "/ws?"))).await.unwrap();
        let (mut sink, mut events) = futures_util::StreamExt::split(socket);
        let play = r#"{"id":1,"intent":{"type":"play","move":"f5"}}"#;
        futures_util::SinkExt::send(&mut sink, Message::text(play)).await.unwrap();
        while let Some(event) = futures_util::StreamExt::next(&mut events).await {
            if event.unwrap().to_text().unwrap().contains("\"done\"") {
                break;
            }
        }
        assert!(Command::new("kill").args([signal, &server.id().to_string()]).status().unwrap().success());
        let ended = server.wait().unwrap();
        // A test that was started to outlive its terminal hands that on, and the hangup is rightly ignored: not so here.
        assert_eq!(ended.code(), Some(0), "{signal}: {ended}");
        let served = Served::with(Store::open(&folder.path().join("games.sqlite")).unwrap(), Duration::from_secs(3600));
        let mut client = Client::connect(&served, None).await;
        let games = client.get(json!({ "type": "list_games" }), "games").await;
        assert_eq!((&games["total"], &games["games"][0]["ending"]), (&json!(1), &json!("unfinished")), "{signal}");
    }
}

/// The command itself: it says where the page is, gives it, refuses a port that is taken, and ends on Ctrl-C.
#[cfg(unix)]
#[test]
fn the_command_serves_until_ctrl_c() {
    let folder = tempfile::tempdir().unwrap();
    let start = |port: &str, data: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_volte"));
        command.args(["serve", "--no-open", "--port", port, "--data"]).arg(folder.path().join(data));
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let mut server = start("0", "games");
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().trim_start_matches("Volte plays at http://").trim_end_matches('/');
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>Volte</title>"), "{page}");

    let port = address.rsplit(':').next().unwrap();
    let second = start(port, "others").wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(second.status.code() == Some(2) && told.contains(&format!("127.0.0.1:{port}")), "{told}");
    let advised = told.split("try `--port ").nth(1).and_then(|rest| rest.split('`').next()).unwrap();
    let advised: u16 = advised.parse().unwrap();
    assert!(advised == 0 || std::net::TcpListener::bind(("127.0.0.1", advised)).is_ok(), "{told}");

    let interrupted = Command::new("kill").args(["-INT", &server.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    assert_eq!(server.wait().unwrap().code(), Some(0));
    assert!(folder.path().join("games/games.sqlite").is_file());
}

/// Each of 50 sessions plays its own opening and then lets the engine finish: no move gets into another game, and when
/// all have left, their threads are gone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_games_at_once_do_not_mix() {
    const GAMES: usize = 50;
    let served = Served::with(Store::in_memory().unwrap(), Duration::ZERO);
    let openings = ["f5d6", "f5f6", "f5f4", "d3c5", "d3e3"];
    let before = threads();
    let address = &served;
    let games = (0..GAMES).map(|number| async move {
        let opening = openings[number % openings.len()];
        let mut client = Client::connect(address, None).await;
        client.ask(new_game(None, None)).await.unwrap();
        client.play(&opening[..2]).await;
        client.play(&opening[2..]).await;
        client.ask(json!({ "type": "set_players", "players": players(Some(0), Some(1)) })).await.unwrap();
        client.until_state(|state| state["status"] == "over").await;
        let moves = client.moves().concat();
        assert!(moves.starts_with(opening), "{moves}");
        let text = client.get(json!({ "type": "export", "format": "transcript" }), "text").await;
        assert_eq!(text["text"].as_str().unwrap().trim().replace("pa", ""), moves.replace("pass", ""));
        client.session
    });
    let (since, memory) = (Instant::now(), resident_kilobytes());
    let mut sessions = futures_util::future::join_all(games).await;
    eprintln!("{GAMES} games in {:?}, with {} kB more", since.elapsed(), resident_kilobytes().saturating_sub(memory));
    sessions.sort();
    sessions.dedup();
    assert_eq!(sessions.len(), GAMES);
    let mut client = Client::connect(&served, None).await;
    let games = client.get(json!({ "type": "list_games" }), "games").await;
    assert_eq!(games["total"], GAMES);
    let since = Instant::now();
    while threads() > before + 8 {
        assert!(since.elapsed() < Duration::from_secs(20), "{} threads are left of {before}", threads());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Memory of this process.
fn resident_kilobytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
    line.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// Threads of this process whose name is that of engines; the whole number also counts those of other tests.
fn threads() -> usize {
    let tasks =
        std::fs::read_dir("/proc/self/task").map(|tasks| tasks.flatten().collect::<Vec<_>>()).unwrap_or_default();
    let name = |task: &std::fs::DirEntry| std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
    tasks.iter().filter(|task| name(task).starts_with("volte-session")).count()
}
