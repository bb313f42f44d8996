//! The page in a headless Chromium, driven through its driver.

#![allow(dead_code, reason = "each test program uses a part of it")]
#![allow(clippy::unwrap_used, reason = "in a test a failure is a failure")]

use crate::served::Served;
use fantoccini::{Client as Driver, ClientBuilder, Locator};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use volte::web::Store;

/// Longer than anything here takes, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with the page of a server of its own.
pub(crate) struct Page {
    pub(crate) driver: Driver,
    pub(crate) url: String,
    _served: Option<Served>,
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
pub(crate) struct Look {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) language: &'static str,
}

pub(crate) const DESKTOP: Look = Look { width: 1366, height: 768, language: "en" };

impl Page {
    /// Opens the page of a server of its own, if there is a browser.
    pub(crate) async fn open(look: Look) -> Option<Self> {
        let mut page = Self::browser(look).await?;
        let served = Served::with(Store::in_memory().unwrap(), Duration::from_secs(600));
        page.url.clone_from(&served.url);
        page._served = Some(served);
        page.load().await;
        Some(page)
    }

    /// Opens the page at an address, if there is a browser.
    pub(crate) async fn open_at(look: Look, url: String) -> Option<Self> {
        let mut page = Self::browser(look).await?;
        page.url = url;
        page.load().await;
        Some(page)
    }

    async fn browser(look: Look) -> Option<Self> {
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
        // The size of what is seen, without the frame of a window.
        let is_phone = width.min(height) < 600;
        options["mobileEmulation"] = json!({ "deviceMetrics":
            { "width": width, "height": height, "pixelRatio": 1.0, "touch": is_phone, "mobile": is_phone } });
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
        Some(Self { driver, url: String::new(), _served: None, _process: process })
    }

    pub(crate) async fn load(&self) {
        self.driver.goto(&self.url).await.unwrap();
        self.until("window.volte?.state && volte.parts").await;
        self.js("window.faults = []; for (const kind of ['error', 'unhandledrejection'])
            addEventListener(kind, (event) => faults.push(String(event.message ?? event.reason?.message)))")
            .await;
    }

    /// The physical key of a name, with whatever a layout writes by it.
    pub(crate) async fn key(&self, code: &str, key: &str) {
        let event = format!("{{ code: '{code}', key: '{key}', bubbles: true, cancelable: true }}");
        self.js(&format!("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {event}))")).await;
    }

    pub(crate) async fn close(self) {
        assert_eq!(self.js("return window.faults").await, json!([]));
        self.driver.close().await.unwrap();
    }

    pub(crate) async fn js(&self, script: &str) -> Value {
        self.driver.execute(script, Vec::new()).await.unwrap()
    }

    pub(crate) async fn until(&self, condition: &str) {
        let since = Instant::now();
        while self.js(&format!("return Boolean({condition})")).await != true {
            assert!(since.elapsed() < PATIENCE, "never came true: {condition}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub(crate) async fn click(&self, selector: &str) {
        let found = self.driver.find(Locator::Css(selector)).await;
        found.unwrap_or_else(|error| panic!("{selector}: {error}")).click().await.unwrap();
    }

    pub(crate) async fn square(&self, name: &str) {
        self.click(&format!("#board [data-square={name}]")).await;
    }

    pub(crate) async fn choose(&self, select: &str, value: &str) {
        self.driver.find(Locator::Css(select)).await.unwrap().select_by_value(value).await.unwrap();
    }

    pub(crate) async fn text(&self, selector: &str) -> String {
        self.driver.find(Locator::Css(selector)).await.unwrap().text().await.unwrap()
    }

    pub(crate) async fn close_dialog(&self) {
        self.click("dialog[open] .close").await;
        self.until("!document.querySelector('dialog')").await;
    }

    /// A new game by the dialog: who plays, and a pasted start.
    pub(crate) async fn new_game(&self, who: &str, start: Option<&str>) {
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
    pub(crate) async fn picture(&self, name: &str) {
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
