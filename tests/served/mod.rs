//! A server of the page on a free port, and a client that checks every message against the published schema.

#![allow(dead_code, reason = "each test program uses a part of it")]
#![allow(clippy::unwrap_used, reason = "in a test a failure is a failure")]

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::{Arc, LazyLock, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::{Message, client::IntoClientRequest};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use volte::book::Book;
use volte::search::{Resources, StopSignal};
use volte::web::{Config, Store, serve};

/// Longer than anything here takes, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

const LOCAL: &str = "127.0.0.1:0";

static EVENT: LazyLock<jsonschema::Validator> = LazyLock::new(|| validator("event"));
static REQUEST: LazyLock<jsonschema::Validator> = LazyLock::new(|| validator("request"));

fn validator(what: &str) -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(include_str!("../../docs/web-api.schema.json")).expect("it is JSON");
    jsonschema::validator_for(&schema[what]).expect("it is a schema")
}

/// A running server; it ends when this is dropped.
pub(crate) struct Served {
    pub(crate) url: String,
    pub(crate) address: SocketAddr,
    stop: StopSignal,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    pub(crate) fn start() -> Self {
        Self::with(Store::in_memory().unwrap(), Duration::from_secs(3600))
    }

    pub(crate) fn with(store: Store, idle: Duration) -> Self {
        Self::run(LOCAL, store, idle, None)
    }

    /// With the opening book; without one, a high level thinks from the first move on.
    pub(crate) fn with_book() -> Self {
        Self::run(LOCAL, Store::in_memory().unwrap(), Duration::from_secs(3600), Some(Arc::new(Book::shipped())))
    }

    /// Where other machines can reach it.
    pub(crate) fn open_to_all() -> Self {
        Self::run("0.0.0.0:0", Store::in_memory().unwrap(), Duration::from_secs(3600), None)
    }

    fn run(address: &str, store: Store, idle: Duration, book: Option<Arc<Book>>) -> Self {
        let stop = StopSignal::default();
        let signal = stop.clone();
        let (sender, receiver) = mpsc::channel();
        let address = address.parse().unwrap();
        let thread = std::thread::spawn(move || {
            let config = Config {
                address,
                store,
                resources: Resources { threads: 1, table_megabytes: 1 },
                evaluation: Arc::default(),
                book,
                idle,
            };
            serve(config, &signal, |guard| sender.send(guard.url()).unwrap()).unwrap();
        });
        let url = receiver.recv_timeout(PATIENCE).unwrap();
        let address = url.trim_start_matches("http://").split('/').next().unwrap().parse().unwrap();
        Self { url, address, stop, thread: Some(thread) }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking());
        }
    }
}

/// The command itself, as a process that can be killed.
pub(crate) struct Process {
    child: std::process::Child,
    pub(crate) address: SocketAddr,
}

impl Process {
    /// Starts it with its games in a folder.
    pub(crate) fn start(data: &std::path::Path) -> Self {
        Self::start_at(data, 0)
    }

    /// The same, at a port.
    pub(crate) fn start_at(data: &std::path::Path, port: u16) -> Self {
        use std::io::BufRead;
        use std::process::{Command, Stdio};
        let mut command = Command::new(env!("CARGO_BIN_EXE_volte"));
        command.args(["serve", "--no-open", "--no-book", "--threads", "1", "--hash", "1", "--port"]);
        command.arg(port.to_string()).arg("--data").arg(data).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        std::io::BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().trim_start_matches("Volte plays at http://").trim_end_matches('/').parse().unwrap();
        Self { child, address }
    }

    /// Ends it as nothing else does: it hears nothing of it.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client of a session.
pub(crate) struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pub(crate) session: String,
    pub(crate) resumed: bool,
    pub(crate) restored: bool,
    /// The last state that came.
    pub(crate) state: Value,
    /// Everything that came since the last request.
    pub(crate) heard: Vec<Value>,
    next_id: u64,
}

impl Client {
    pub(crate) async fn connect(served: &Served, session: Option<&str>) -> Self {
        Self::connect_to(served.address, session).await
    }

    pub(crate) async fn connect_to(address: SocketAddr, session: Option<&str>) -> Self {
        let query = session.map(|session| format!("?session={session}")).unwrap_or_default();
        let request = format!("ws://{address}/ws{query}").into_client_request().unwrap();
        let (socket, _) = connect_async(request).await.unwrap();
        let mut client = Self {
            socket,
            session: String::new(),
            resumed: false,
            restored: false,
            state: Value::Null,
            heard: Vec::new(),
            next_id: 1,
        };
        let hello = client.next().await;
        assert_eq!(hello["type"], "hello");
        client.session = hello["session"].as_str().unwrap().to_owned();
        client.resumed = hello["resumed"].as_bool().unwrap();
        client.restored = hello["restored"].as_bool().unwrap();
        assert_eq!(client.next().await["type"], "settings");
        assert_eq!(client.next().await["type"], "state");
        client
    }

    /// The next event.
    pub(crate) async fn next(&mut self) -> Value {
        loop {
            let message = tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("the server answers");
            match message.expect("the server stays").expect("the connection lives") {
                Message::Text(text) => {
                    let event: Value = serde_json::from_str(&text).unwrap();
                    if let Err(fault) = EVENT.validate(&event) {
                        panic!("{fault} in {event}");
                    }
                    if event["type"] == "state" {
                        self.state = event.clone();
                    }
                    self.heard.push(event.clone());
                    return event;
                }
                Message::Close(_) => panic!("the server hung up"),
                _ => {}
            }
        }
    }

    pub(crate) async fn send_raw(&mut self, message: Message) {
        self.socket.send(message).await.unwrap();
    }

    /// Sends a message of so many bytes and waits until the server hangs up; it may do so before all of it is sent.
    pub(crate) async fn flood(mut self, bytes: usize) {
        let _ = self.socket.send(Message::text("x".repeat(bytes))).await;
        let hung_up = async { while self.socket.next().await.is_some_and(|message| message.is_ok()) {} };
        tokio::time::timeout(PATIENCE, hung_up).await.expect("the server hangs up");
    }

    /// Sends a request and waits for its `done` or `error`.
    pub(crate) async fn ask(&mut self, intent: Value) -> Result<Vec<Value>, Value> {
        self.heard.clear();
        let id = self.next_id;
        self.next_id += 1;
        let request = json!({ "id": id, "intent": intent });
        if let Err(fault) = REQUEST.validate(&request) {
            panic!("{fault} in {request}");
        }
        self.send_raw(Message::text(request.to_string())).await;
        loop {
            let event = self.next().await;
            if event["id"] == id {
                return if event["type"] == "done" { Ok(self.heard.clone()) } else { Err(event) };
            }
        }
    }

    /// The one event of a type that a request brings.
    pub(crate) async fn get(&mut self, intent: Value, kind: &str) -> Value {
        let events = self.ask(intent).await.unwrap();
        events.into_iter().find(|event| event["type"] == kind).expect("the event comes")
    }

    /// Waits until an event is as wanted.
    pub(crate) async fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(event) = self.heard.iter().rev().find(|event| wanted(event)) {
            return event.clone();
        }
        loop {
            let event = self.next().await;
            if wanted(&event) {
                return event;
            }
        }
    }

    /// Waits until the state is as wanted.
    pub(crate) async fn until_state(&mut self, wanted: impl Fn(&Value) -> bool) {
        while !wanted(&self.state) {
            self.next().await;
        }
    }

    pub(crate) async fn play(&mut self, mv: &str) {
        self.ask(json!({ "type": "play", "move": mv })).await.unwrap();
    }

    /// All moves of the line.
    pub(crate) fn moves(&self) -> Vec<String> {
        let turns = self.state["turns"].as_array().unwrap();
        turns.iter().map(|turn| turn["move"].as_str().unwrap().to_owned()).collect()
    }
}

/// Players as a request names them: a level, or a person.
pub(crate) fn players(black: Option<u8>, white: Option<u8>) -> Value {
    let player = |level: Option<u8>| match level {
        Some(level) => json!({ "kind": "engine", "level": level }),
        None => json!({ "kind": "human" }),
    };
    json!({ "black": player(black), "white": player(white) })
}

pub(crate) fn new_game(black: Option<u8>, white: Option<u8>) -> Value {
    json!({ "type": "new_game", "players": players(black, white) })
}
