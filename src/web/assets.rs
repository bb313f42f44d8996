//! The page, embedded in the program.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its path on the server.
    pub path: &'static str,
    /// Its media type.
    pub kind: &'static str,
    /// What it holds.
    pub bytes: &'static [u8],
}

macro_rules! assets {
    ($($path:literal $file:literal $kind:ident;)*) => {
        [$(Asset { path: $path, kind: $kind, bytes: include_bytes!(concat!("page/", $file)) }),*]
    };
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const JSON: &str = "application/json; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// Every file of the page; the first one is the page itself.
pub const ASSETS: [Asset; 28] = assets! {
    "/" "index.html" HTML;
    "/style.css" "style.css" CSS;
    "/board.css" "board.css" CSS;
    "/panel.css" "panel.css" CSS;
    "/dialogs.css" "dialogs.css" CSS;
    "/icon.svg" "icon.svg" SVG;
    "/app.js" "app.js" SCRIPT;
    "/wire.js" "wire.js" SCRIPT;
    "/text.js" "text.js" SCRIPT;
    "/keys.js" "keys.js" SCRIPT;
    "/board.js" "board.js" SCRIPT;
    "/moves.js" "moves.js" SCRIPT;
    "/panel.js" "panel.js" SCRIPT;
    "/lower.js" "lower.js" SCRIPT;
    "/thoughts.js" "thoughts.js" SCRIPT;
    "/graph.js" "graph.js" SCRIPT;
    "/newgame.js" "newgame.js" SCRIPT;
    "/paste.js" "paste.js" SCRIPT;
    "/players.js" "players.js" SCRIPT;
    "/continue.js" "continue.js" SCRIPT;
    "/history.js" "history.js" SCRIPT;
    "/share.js" "share.js" SCRIPT;
    "/settings.js" "settings.js" SCRIPT;
    "/sound.js" "sound.js" SCRIPT;
    "/dom.js" "dom.js" SCRIPT;
    "/texts/en.json" "texts/en.json" JSON;
    "/texts/ja.json" "texts/ja.json" JSON;
    "/texts/ru.json" "texts/ru.json" JSON;
};
