//! The page of `volte serve` in a real browser: a headless Chromium, driven through its driver.
//!
//! With `VOLTE_SCREENSHOTS` set to a folder, every main view is left there as a picture.

#![allow(clippy::unwrap_used, reason = "in a test a failure is a failure")]

mod served;

use fantoccini::{Client as Driver, ClientBuilder, Locator};
use serde_json::{Value, json};
use served::Served;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use volte::web::Store;

/// Longer than anything here takes, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with the page of a server of its own.
struct Page {
    driver: Driver,
    served: Served,
    _process: DriverProcess,
}

/// The driver with its browser, in a process group of its own that ends with this.
struct DriverProcess(Child);

impl Drop for DriverProcess {
    fn drop(&mut self) {
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill").args(["-9", "--", &group]).status();
        let _ = self.0.wait();
    }
}

/// The size of a window, and the language of the browser.
#[derive(Clone, Copy)]
struct Look {
    width: u32,
    height: u32,
    language: &'static str,
}

const DESKTOP: Look = Look { width: 1280, height: 900, language: "en" };

impl Page {
    /// Opens the page, if there is a browser.
    async fn open(look: Look) -> Option<Self> {
        let mut command = Command::new("chromedriver");
        command.arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0);
        let mut process = match command.spawn() {
            Ok(process) => DriverProcess(process),
            Err(error) => {
                eprintln!("SKIPPED: the page is not tested in a browser: chromedriver cannot be started ({error})");
                return None;
            }
        };
        let lines = BufReader::new(process.0.stdout.take().unwrap()).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let number = line.strip_prefix("ChromeDriver was started successfully on port ")?;
            number.trim_end_matches('.').parse::<u16>().ok()
        });
        let url = format!("http://127.0.0.1:{}", port.expect("the driver names its port"));
        let Look { width, height, language } = look;
        let mut options = json!({
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--force-prefers-reduced-motion", "--disable-extensions", "--disable-breakpad",
                format!("--window-size={width},{height}"), format!("--lang={language}")],
            "prefs": { "intl.accept_languages": language },
        });
        if width < 600 {
            options["mobileEmulation"] =
                json!({ "deviceMetrics": { "width": width, "height": height, "pixelRatio": 2.0, "touch": true } });
        }
        let wanted = json!({ "goog:chromeOptions": options });
        let mut builder = ClientBuilder::new(hyper_util_connector());
        builder.capabilities(wanted.as_object().unwrap().clone());
        let driver = match builder.connect(&url).await {
            Ok(driver) => driver,
            Err(error) => {
                eprintln!("SKIPPED: the page is not tested in a browser: Chromium cannot be started ({error})");
                return None;
            }
        };
        let served = Served::with(Store::in_memory().unwrap(), Duration::from_secs(600));
        let page = Self { driver, served, _process: process };
        page.load().await;
        Some(page)
    }

    async fn load(&self) {
        self.driver.goto(&self.served.url).await.unwrap();
        self.until("window.volte?.state && volte.parts").await;
        self.js("window.faults = []; for (const kind of ['error', 'unhandledrejection'])
            addEventListener(kind, (event) => faults.push(String(event.message ?? event.reason?.message)))")
            .await;
    }

    async fn close(self) {
        assert_eq!(self.js("return window.faults").await, json!([]));
        self.driver.close().await.unwrap();
    }

    async fn js(&self, script: &str) -> Value {
        self.driver.execute(script, Vec::new()).await.unwrap()
    }

    async fn until(&self, condition: &str) {
        let since = Instant::now();
        while self.js(&format!("return Boolean({condition})")).await != true {
            assert!(since.elapsed() < PATIENCE, "never came true: {condition}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn click(&self, selector: &str) {
        let found = self.driver.find(Locator::Css(selector)).await;
        found.unwrap_or_else(|error| panic!("{selector}: {error}")).click().await.unwrap();
    }

    async fn square(&self, name: &str) {
        self.click(&format!("#board [data-square={name}]")).await;
    }

    async fn choose(&self, select: &str, value: &str) {
        self.driver.find(Locator::Css(select)).await.unwrap().select_by_value(value).await.unwrap();
    }

    async fn text(&self, selector: &str) -> String {
        self.driver.find(Locator::Css(selector)).await.unwrap().text().await.unwrap()
    }

    async fn close_dialog(&self) {
        self.click("dialog[open] .close").await;
        self.until("!document.querySelector('dialog')").await;
    }

    /// A new game by the dialog: who plays, and a pasted start.
    async fn new_game(&self, who: &str, start: Option<&str>) {
        self.click("#open-new-game").await;
        self.click(&format!("#who-{who}")).await;
        if let Some(text) = start {
            self.choose("#start", "text").await;
            self.driver.find(Locator::Css("#paste")).await.unwrap().send_keys(text).await.unwrap();
        }
        self.click("#begin").await;
        self.until("!document.querySelector('dialog')").await;
    }

    /// Leaves a picture, if anybody wants it.
    async fn picture(&self, name: &str) {
        if let Some(folder) = std::env::var_os("VOLTE_SCREENSHOTS") {
            // Animations and messages have gone by then.
            tokio::time::sleep(Duration::from_millis(500)).await;
            let picture = self.driver.screenshot().await.unwrap();
            std::fs::write(Path::new(&folder).join(format!("{name}.png")), picture).unwrap();
        }
    }
}

fn hyper_util_connector() -> hyper_util::client::legacy::connect::HttpConnector {
    hyper_util::client::legacy::connect::HttpConnector::new()
}

#[tokio::test]
async fn a_whole_game_with_a_forced_pass_is_played_kept_and_analysed() {
    let Some(page) = Page::open(DESKTOP).await else { return };
    page.picture("start").await;
    page.new_game("two", Some("d3c3b3b2f5a3a1")).await;
    page.square("c1").await;
    // Black passes by itself, and it is said.
    page.until("volte.state.ply === 9 && [...document.querySelectorAll('.toast')].some((toast) => toast.textContent.includes('passes'))").await;
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
    assert!(page.js("return document.querySelectorAll('.plot .target').length > 40").await == true);
    page.picture("analysed").await;
    page.js("document.querySelectorAll('.plot .target')[10].dispatchEvent(new MouseEvent('click'))").await;
    page.until("volte.state.ply === 11").await;
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
        page.until("volte.state.busy === 'move' && volte.thinking").await;
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
    page.until("volte.state.lines.length === 2 && document.querySelectorAll('.lines button').length === 2").await;
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
    page.until("document.querySelector('dialog [data-bad]')?.textContent.includes('f5')").await;
    page.click("#begin").await;
    page.until("document.querySelector('dialog .fault').textContent.includes('occupied')").await;
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
    page.click("#open-settings").await;
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
    page.js("document.querySelector('#board [data-square=a1]').focus()").await;
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
    .filter((node) => node.textContent.trim() && !node.disabled && node.offsetParent && !node.closest('.toast'))
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
