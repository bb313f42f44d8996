//! The page of `volte serve` in a real browser: a headless Chromium, driven through its driver.
//!
//! With `VOLTE_SCREENSHOTS` set to a folder, every main view is left there as a picture.

#![allow(clippy::unwrap_used, reason = "in a test a failure is a failure")]

mod driven;
mod served;

use driven::{DESKTOP, Look, Page};
use fantoccini::Locator;
use serde_json::json;
use served::Process;

#[tokio::test]
async fn a_whole_game_with_a_forced_pass_is_played_kept_and_analysed() {
    let Some(page) = Page::open(DESKTOP).await else { return };
    page.picture("start").await;
    page.new_game("two", Some("d3c3b3b2f5a3a1")).await;
    page.square("c1").await;
    // Black passes by itself, and it is said.
    page.until("volte.state.ply === 9 && document.querySelector('#notice').textContent.includes('passes')").await;
    // The same, by a click.
    page.click("#open-settings").await;
    page.click("#set-auto_pass").await;
    page.close_dialog().await;
    page.click("#undo").await;
    page.until("volte.state.ply === 7").await;
    page.square("c1").await;
    page.until("volte.state.must_pass").await;
    page.click("#pass").await;
    page.until("volte.state.ply === 9").await;
    // Played to its end, by clicks that need no pointer: each of those takes the driver a good part of a second.
    page.js("volte.playOn = setInterval(() => {
            if (volte.state.status !== 'human') return clearInterval(volte.playOn);
            const square = volte.state.legal[0];
            document.querySelector(square ? `#board [data-square=${square}]` : '#pass').click();
        }, 20)")
        .await;
    page.until("volte.state.status === 'over'").await;
    let status = page.text("#status").await;
    assert!(status.contains("won") || status.contains("draw"), "{status}");
    page.click("#open-settings").await;
    page.js("const level = document.querySelector('#set-hint_level'); level.value = 1; level.dispatchEvent(new Event('change'))").await;
    page.close_dialog().await;
    page.click("#review").await;
    page.until("volte.review?.finished").await;
    assert!(page.js("return document.querySelectorAll('.plot polyline').length").await == 1);
    page.picture("analysed").await;
    page.click("#open-history").await;
    page.until("document.querySelectorAll('.games li').length === 1").await;
    page.click(".games .star").await;
    page.click("#only-starred").await;
    page.until("document.querySelectorAll('.games li').length === 1").await;
    page.picture("history").await;
    page.click(".games .opener").await;
    page.until("volte.state.status === 'over' && !document.querySelector('dialog')").await;
    page.close().await;
}

#[tokio::test]
async fn moves_are_taken_back_while_volte_thinks_and_a_reload_changes_nothing() {
    let Some(page) = Page::open(DESKTOP).await else { return };
    // The first game of a new user is one against Volte.
    page.until("volte.state.players.white.kind === 'engine' && volte.state.status === 'human'").await;
    page.click("#open-new-game").await;
    page.js("const level = document.querySelector('#white-level'); level.value = 60; level.dispatchEvent(new Event('input'))").await;
    page.picture("new-game").await;
    page.click("#begin").await;
    page.until("volte.state.players.white.level === 60").await;
    for _ in 0..2 {
        page.square("f5").await;
        page.until("volte.state.busy === 'move'").await;
        page.click("#undo").await;
        page.until("volte.state.ply === 0 && volte.state.busy === null").await;
    }
    page.click("#redo").await;
    page.until("volte.state.busy === 'move' && volte.thinking?.ply === 1").await;
    page.picture("thinking").await;
    let session = page.js("return volte.hello.session").await;
    page.load().await;
    assert_eq!(page.js("return volte.hello.session").await, session);
    page.until("volte.state.ply === 1 && volte.state.busy === 'move'").await;
    page.click("#move-now").await;
    page.until("volte.state.ply === 2 && volte.state.status === 'human'").await;
    // From an earlier turn another move makes another line, and the first one is kept.
    page.click(".moves [data-ply='0']").await;
    page.until("volte.state.ply === 0").await;
    page.square("d3").await;
    page.until("volte.state.lines.length === 2 && document.querySelectorAll('.lines button').length === 1").await;
    page.click("#stop").await;
    page.until("volte.state.status === 'paused'").await;
    page.click("#resign").await;
    page.driver.accept_alert().await.unwrap();
    page.until("volte.state.result?.ending === 'resigned'").await;
    assert!(page.text("#status").await.starts_with("You lost."));
    page.close().await;
}

#[tokio::test]
async fn boards_are_set_up_and_hints_stand_on_the_squares() {
    let Some(page) = Page::open(DESKTOP).await else { return };
    page.click("#open-new-game").await;
    page.click("#who-two").await;
    page.choose("#start", "board").await;
    for square in ["c3", "d3"] {
        page.click(&format!("dialog [data-square={square}]")).await;
    }
    page.choose("#setup-side", "white").await;
    page.picture("set-up").await;
    page.click("#begin").await;
    page.until("volte.state.discs.black === 4 && volte.state.board.side === 'white'").await;
    page.js("return volte.keep({ hint_level: 6 })").await;
    page.click("#hint").await;
    page.until("document.querySelector('#board [data-hint=best] .mark')?.textContent && volte.state.busy === null")
        .await;
    assert!(page.js("return document.querySelectorAll('#board [data-hint]').length").await.as_u64().unwrap() >= 2);
    page.picture("hints").await;
    page.click("#analysis").await;
    page.until("volte.thinking?.purpose === 'analysis'").await;
    page.click("#analysis").await;
    page.until("volte.state.busy === null && volte.state.analysis === 0").await;
    // What cannot be read is said, and nothing changes.
    page.click("#open-new-game").await;
    page.choose("#start", "text").await;
    page.driver.find(Locator::Css("#paste")).await.unwrap().send_keys("f5f5").await.unwrap();
    page.until("document.querySelector('dialog [data-bad]')?.textContent.includes('f5 is taken already')").await;
    page.click("#begin").await;
    page.until("document.querySelector('dialog .fault').textContent.includes('taken already')").await;
    page.close_dialog().await;
    assert_eq!(page.js("return volte.state.discs.black").await, 4);
    page.close().await;
}

#[tokio::test]
async fn settings_last_the_keyboard_suffices_and_everything_has_a_name() {
    let Some(page) = Page::open(DESKTOP).await else { return };
    page.click("#open-settings").await;
    page.choose("#set-language", "ru").await;
    page.until("document.documentElement.lang === 'ru' && document.querySelector('#open-new-game')?.textContent === 'Новая игра'").await;
    // The settings stay open, in the other language.
    page.until("document.querySelector('dialog[open] h2')?.textContent === 'Настройки' && document.activeElement.id === 'set-language'").await;
    page.choose("#set-board", "wood").await;
    page.click("#set-show_stable").await;
    page.picture("settings").await;
    page.close_dialog().await;
    page.load().await;
    assert_eq!(
        page.js(
            "return [document.documentElement.lang, document.documentElement.dataset.board, volte.settings.show_stable]"
        )
        .await,
        json!(["ru", "wood", true])
    );
    // By keys alone: to f5 from a1, and play.
    page.new_game("two", None).await;
    page.js("document.activeElement.blur(); setTimeout(() => document.querySelector('#board [data-square=a1]').focus(), 400)").await;
    page.until("document.activeElement.dataset.square === 'a1'").await;
    let keys = format!("{}{}{}", "\u{e014}".repeat(5), "\u{e015}".repeat(4), "\u{e007}");
    page.driver.active_element().await.unwrap().send_keys(&keys).await.unwrap();
    page.until("volte.state.ply === 1").await;
    page.driver.active_element().await.unwrap().send_keys("u").await.unwrap();
    page.until("volte.state.ply === 0").await;
    assert_eq!(
        page.js("return document.querySelector('#board [data-square=f5]').ariaLabel").await,
        "f5, пусто, сюда можно ходить"
    );
    let nameless =
        "return [...document.querySelectorAll('button, select, input, textarea, [role=img]')].filter((node) =>
        !node.ariaLabel && !node.textContent.trim() && !node.closest('label')).map((node) => node.outerHTML)";
    for dialog in ["open-new-game", "open-history", "open-settings", "share"] {
        page.click(&format!("#{dialog}")).await;
        page.until("document.querySelector('dialog[open]')").await;
        assert_eq!(page.js(nameless).await, json!([]), "{dialog}");
        page.close_dialog().await;
    }
    for scheme in ["light", "dark"] {
        let weak = page.js(CONTRAST).await;
        assert_eq!(weak, json!([]), "{scheme}");
        // The other scheme, by the rule for it.
        page.js("for (const sheet of document.styleSheets) for (const rule of sheet.cssRules)
            if (rule.media?.mediaText.includes('dark')) rule.media.mediaText = 'all'")
            .await;
    }
    page.picture("dark").await;
    page.close().await;
}

/// Texts whose contrast against what is behind them is below 4.5.
const CONTRAST: &str = "
const parse = (color) => color.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, at) => sum + v * [.2126, .7152, .0722][at], 0);
const behind = (node) => { for (; node; node = node.parentElement) {
    const color = getComputedStyle(node).backgroundColor;
    if (!color.startsWith('rgb')) continue;
    const parts = parse(color); if (parts.length < 4 || parts[3] === 1) return parts; } return [255, 255, 255]; };
return [...document.querySelectorAll('button, p, h1, h2, .name, .discs')]
    .filter((node) => node.textContent.trim() && !node.disabled && node.offsetParent && !node.closest('.unseen'))
    .map((node) => { const [a, b] = [light(parse(getComputedStyle(node).color)), light(behind(node))];
        return [node.textContent, (Math.max(a, b) + .05) / (Math.min(a, b) + .05)]; })
    .filter(([, ratio]) => ratio < 4.5)";

#[tokio::test]
async fn the_page_fits_a_phone_and_its_first_board_comes_soon() {
    let Some(page) = Page::open(Look { width: 390, height: 844, language: "ru" }).await else { return };
    assert_eq!(page.js("return document.documentElement.lang").await, "ru");
    page.until("volte.state.status === 'human' && volte.state.players.white.kind === 'engine'").await;
    for dialog in [None, Some("open-new-game"), Some("open-history"), Some("open-settings"), Some("share")] {
        if let Some(dialog) = dialog {
            page.click(&format!("#{dialog}")).await;
        }
        assert!(page.js("return document.documentElement.scrollWidth <= innerWidth").await == true, "{dialog:?}");
        page.picture(&format!("phone-{}", dialog.unwrap_or("board"))).await;
        if dialog.is_some() {
            page.close_dialog().await;
        }
    }
    assert!(page.js("return document.querySelector('#board .cell').offsetWidth >= 38").await == true);
    page.square("f5").await;
    page.until("volte.state.ply === 2").await;
    // Some milliseconds on a quiet machine; much more would mean that something waits.
    page.load().await;
    let times = page.js("return [performance.getEntriesByType('resource').reduce((sum, entry) => sum + entry.transferSize, 0), volte.firstBoard]").await;
    eprintln!("bytes besides the page itself, and milliseconds to the first board: {times}");
    assert!(times[1].as_f64().unwrap() < 10_000.0, "{times}");
    page.close().await;
}

/// The server is killed in the middle of a game: the page says so, its buttons are dead meanwhile, and when the server is
/// back the game goes on in the open page.
#[tokio::test]
async fn the_page_goes_on_with_the_game_after_the_server_was_killed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Process::start(folder.path());
    let port = server.address.port();
    let Some(page) = Page::open_at(DESKTOP, format!("http://{}/", server.address)).await else { return };
    page.until("volte.state.status === 'human' && volte.state.players.white.kind === 'engine'").await;
    page.square("f5").await;
    page.until("volte.state.ply === 2 && volte.state.status === 'human'").await;
    let moves = page.js("return volte.state.turns.map((turn) => turn.move)").await;
    server.kill();
    page.until("document.querySelector('#offline').textContent").await;
    assert_eq!(
        page.js("return [document.querySelector('#main').inert, document.querySelector('#top').inert]").await,
        json!([true, true])
    );
    page.picture("offline").await;
    let _server = Process::start_at(folder.path(), port);
    page.until("!document.querySelector('#main').inert && volte.hello.restored").await;
    page.until("document.querySelector('#notice').textContent.includes('goes on')").await;
    assert_eq!(page.js("return volte.state.turns.map((turn) => turn.move)").await, moves);
    // Without a reload, a click plays.
    page.js("document.querySelector(`#board [data-square=${volte.state.legal[0]}]`).click()").await;
    page.until("volte.state.ply >= 3").await;
    page.close().await;
}

#[tokio::test]
async fn a_game_of_a_closed_tab_is_offered_again() {
    let Some(page) = Page::open(DESKTOP).await else { return };
    page.until("volte.state.players.white.kind === 'engine'").await;
    page.square("f5").await;
    page.until("volte.state.ply === 2").await;
    // As in a new tab.
    page.js("sessionStorage.clear()").await;
    page.load().await;
    page.until("document.querySelector('dialog#continue')").await;
    page.picture("continue").await;
    page.click("dialog#continue .opener").await;
    page.until("volte.state.ply === 2 && !document.querySelector('dialog')").await;
    page.close().await;
}

/// Letters are keys of the keyboard, whatever the layout writes with them; `?` shows them.
#[tokio::test]
async fn keys_work_in_any_layout() {
    let Some(page) = Page::open(Look { language: "ru", ..DESKTOP }).await else { return };
    page.new_game("two", None).await;
    for mv in ["f5", "d6"] {
        page.square(mv).await;
    }
    page.until("volte.state.ply === 2").await;
    for (code, written, ply) in [
        ("KeyU", "г", 1),
        ("KeyR", "к", 2),
        ("KeyU", "U", 1),
        ("ArrowRight", "ArrowRight", 2),
        ("Home", "Home", 0),
        ("End", "End", 2),
        ("ArrowLeft", "ArrowLeft", 1),
        ("BracketRight", "ъ", 2),
    ] {
        page.key(code, written).await;
        page.until(&format!("volte.state.ply === {ply}")).await;
    }
    page.key("Digit7", "?").await;
    page.until("document.querySelector('dialog#keys kbd')").await;
    page.picture("keys").await;
    page.close_dialog().await;
    page.key("KeyN", "т").await;
    page.until("document.querySelector('dialog#new-game')").await;
    // The game that is left is said to stay, and afterwards that it is kept.
    assert!(page.js("return Boolean(document.querySelector('#old-is-kept'))").await == true);
    page.click("#begin").await;
    page.until("document.querySelector('#notice').textContent.includes('сохранена')").await;
    page.close().await;
}

#[tokio::test]
async fn an_illegal_click_shows_that_it_is_none() {
    let Some(page) = Page::open(DESKTOP).await else { return };
    page.square("a1").await;
    page.until("document.querySelector('[data-square=a1][data-refused]') && document.querySelector('#notice[data-bad]').textContent.includes('a1')").await;
    page.picture("refused").await;
    assert_eq!(page.js("return volte.state.ply").await, 0);
    page.close().await;
}

/// A link is the game itself: pasted into the address of an open page, into the box, or opened anew.
#[tokio::test]
async fn a_link_holds_the_game_and_opens_anywhere() {
    let Some(page) = Page::open(DESKTOP).await else { return };
    page.new_game("two", Some("f5d6c3d3")).await;
    page.click("#back").await;
    page.until("volte.state.ply === 3").await;
    page.click("#share").await;
    page.until("document.querySelector('#share-link').value").await;
    let link = page.js("return document.querySelector('#share-link').value").await.as_str().unwrap().to_owned();
    assert!(link.contains("game=f5d6c3d3") && link.contains("at=3"), "{link}");
    page.picture("share").await;
    page.close_dialog().await;
    // Another page, with another game on it.
    let hash = link.split_once('#').unwrap().1.to_owned();
    page.new_game("two", None).await;
    page.js(&format!("location.hash = '{hash}'")).await;
    page.until("volte.state.ply === 3 && volte.state.turns.length === 4").await;
    page.js("location.hash = '#game=f5f6&at=2'").await;
    page.until("volte.state.ply === 2 && volte.state.turns[1].move === 'f6'").await;
    let Some(other) = Page::open(DESKTOP).await else { return };
    other.js("sessionStorage.clear()").await;
    other.driver.goto("about:blank").await.unwrap();
    other.driver.goto(&format!("{}#{hash}", other.url)).await.unwrap();
    other.until("window.volte?.state?.ply === 3 && volte.state.turns.length === 4").await;
    other.driver.clone().close().await.unwrap();
    page.new_game("two", Some(&link)).await;
    page.until("volte.state.turns.length === 4").await;
    page.close().await;
}

#[tokio::test]
async fn of_several_pasted_games_one_is_chosen() {
    let Some(page) = Page::open(DESKTOP).await else { return };
    page.click("#open-new-game").await;
    page.click("#who-two").await;
    page.choose("#start", "text").await;
    let text = "[Black \\\"Ann\\\"]\\n[White \\\"Bo\\\"]\\n\\n1. f5 d6 *\\n\\n[Black \\\"Zoe\\\"]\\n[White \\\"Bo\\\"]\\n\\n1. d3 c5 2. f6 *\\n";
    page.js(&format!(
        "const box = document.querySelector('#paste'); box.value = \"{text}\"; box.dispatchEvent(new Event('input'))"
    ))
    .await;
    page.until("document.querySelectorAll('#paste-games option').length === 2").await;
    page.choose("#paste-games", "1").await;
    page.picture("paste").await;
    page.click("#begin").await;
    page.until("volte.state.turns.map((turn) => turn.move).join('') === 'd3c5f6'").await;
    page.close().await;
}

/// Positions of everything that can be pressed and does not belong to the list of moves.
const PLACES: &str = "return JSON.stringify([...document.querySelectorAll('#top button, .players button:not(#again), #board .cell, .tabs button')]
    .map((node) => { const { x, y, width, height } = node.getBoundingClientRect(); return [node.id || node.dataset.square || node.dataset.side || node.textContent, x, y, width, height]; }))";
/// What lies over a control or a square, or out of the window.
const COVERED: &str = "return [...document.querySelectorAll('#top button, .players button, #board .cell')].filter((node) => node.offsetParent)
    .filter((node) => { const { x, y, width, height } = node.getBoundingClientRect();
        return [[.5, .5], [.1, .5], [.9, .5], [.5, .9]].some(([dx, dy]) => { const top = document.elementFromPoint(x + dx * width, y + dy * height); return !top || !(node === top || node.contains(top)); }); })
    .map((node) => node.id || node.dataset.square || node.textContent)";
/// Whether the page itself scrolls either way.
const SCROLLS: &str = "const root = document.documentElement; return [root.scrollHeight > innerHeight, root.scrollWidth > innerWidth, innerWidth - root.clientWidth]";

/// A whole game, with notices, refused clicks, undo, analysis and its end: nothing that can be pressed moves or is
/// covered, and no scroll bar comes.
#[tokio::test]
async fn nothing_moves_and_nothing_is_covered_during_a_game() {
    for (width, height, languages) in
        [(1366, 768, &["ru"][..]), (1920, 1080, &["en"]), (390, 844, &["ru"]), (360, 740, &["ru"]), (844, 390, &["ja"])]
    {
        for &language in languages {
            let Some(page) = Page::open(Look { width, height, language }).await else { return };
            page.until("volte.state.status === 'human' && volte.state.players.white.kind === 'engine'").await;
            page.new_game("black", None).await;
            let places = page.js(PLACES).await;
            let look = async |when: &str| {
                let now = page.js(PLACES).await;
                if now != places {
                    let split = |places: &serde_json::Value| {
                        serde_json::from_str::<Vec<serde_json::Value>>(places.as_str().unwrap()).unwrap()
                    };
                    let moved: Vec<_> = split(&places)
                        .into_iter()
                        .zip(split(&now))
                        .filter(|(one, other)| one != other)
                        .take(3)
                        .collect();
                    panic!("{width}×{height} {language}, {when}: moved {moved:?}");
                }
                assert_eq!(page.js(COVERED).await, json!([]), "{width}×{height} {language}, {when}: covered");
                let scrolls = page.js(SCROLLS).await;
                assert_eq!(scrolls, json!([false, false, 0]), "{width}×{height} {language}, {when}: scrolls");
            };
            look("at the start").await;
            page.square("f5").await;
            look("while Volte thinks").await;
            page.until("volte.state.ply === 2").await;
            page.square("a1").await;
            look("after a refused click").await;
            page.click("#undo").await;
            page.until("volte.state.ply === 0").await;
            look("after undo").await;
            page.js("return volte.keep({ hint_level: 2 })").await;
            page.click("#hint").await;
            page.until("volte.state.busy === null && volte.thinking").await;
            look("with hints").await;
            page.picture(&format!("{width}x{height}-{language}-hints")).await;
            // Both sides by the page, with a pass on the way, to the end.
            page.new_game("two", Some("d3c3b3b2f5a3a1")).await;
            page.square("c1").await;
            page.until("volte.state.ply === 9").await;
            look("after a pass").await;
            page.picture(&format!("{width}x{height}-{language}-passed")).await;
            page.js("volte.playOn = setInterval(() => {
                    if (volte.state.status !== 'human') return clearInterval(volte.playOn);
                    const square = volte.state.legal[0];
                    document.querySelector(square ? `#board [data-square=${square}]` : '#pass').click();
                }, 20)")
                .await;
            page.until("volte.state.ply > 30").await;
            look("in the middle").await;
            page.until("volte.state.status === 'over'").await;
            look("at the end").await;
            page.click("#review").await;
            page.until("volte.review?.finished").await;
            look("reviewed").await;
            page.picture(&format!("{width}x{height}-{language}-reviewed")).await;
            page.close().await;
        }
    }
}

/// What the rules of accessibility say, as far as a program can tell: in every window, light and dark.
#[tokio::test]
async fn axe_finds_no_serious_fault() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/target/axe/node_modules/axe-core/axe.min.js");
    let Ok(axe) = std::fs::read_to_string(path) else {
        eprintln!("SKIPPED: axe-core is not there: npm install --prefix target/axe axe-core");
        return;
    };
    let Some(page) = Page::open(DESKTOP).await else { return };
    page.new_game("two", Some("f5d6c3d3c4f4")).await;
    page.js("return volte.keep({ hint_level: 2 })").await;
    page.click("#review").await;
    page.until("volte.review?.finished").await;
    page.js(&axe).await;
    let check = async |view: &str| {
        page.js("window.found = null; axe.run(document, { resultTypes: ['violations'] }).then((result) => window.found = result.violations
            .filter((fault) => ['serious', 'critical'].includes(fault.impact))
            .map((fault) => [fault.id, fault.nodes.slice(0, 3).map((node) => node.html.slice(0, 200) + (node.any[0]?.message ?? ''))]),
            (error) => window.found = [String(error)])").await;
        page.until("window.found").await;
        let found = page.js("return window.found").await;
        assert_eq!(found, json!([]), "{view}");
    };
    for theme in ["light", "dark"] {
        page.js(&format!("return volte.keep({{ theme: '{theme}' }})")).await;
        page.until(&format!("document.documentElement.dataset.theme === '{theme}'")).await;
        check(&format!("{theme}: the page")).await;
        page.click("#tab-graph").await;
        check(&format!("{theme}: the graph")).await;
        page.picture(&format!("graph-{theme}")).await;
        for dialog in DIALOGS {
            page.js(&format!("volte.open('{dialog}')")).await;
            page.until("document.querySelector('dialog[open]')").await;
            check(&format!("{theme}: {dialog}")).await;
            page.picture(&format!("{dialog}-{theme}")).await;
            page.close_dialog().await;
        }
    }
    page.close().await;
}

/// Every window of the page.
const DIALOGS: [&str; 6] = ["new-game", "history", "settings", "share", "keys", "players"];
