//! The network side: the page and its files, and a WebSocket for each client.
//!
//! Owns HTTP and the limits on what is let in; must not know games. Searches run on threads of the sessions, never here.
//! Start reading at [`router`].

use super::assets::{ASSETS, Asset};
use super::common::{Packet, packet};
use super::guard::{Guard, NotAdmitted, Visitor};
use super::hub::Hub;
use super::message::Request;
use super::message::event::{Event, Refusal, RefusalCode};
use super::schema;
use super::session::{Arrival, Entrance, Session};
use axum::Router;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;
use std::sync::Arc;
use tokio::sync::broadcast::error::RecvError;

/// Longest request, in bytes: room for a file of some thousand games.
pub(super) const LONGEST_REQUEST: usize = 1 << 20;
/// Longest message that is read at all, so that a request that is too long can be answered.
const LONGEST_MESSAGE: usize = 4 * LONGEST_REQUEST;

/// Nothing of the page comes from elsewhere, and no other page may hold it.
const POLICY: &str = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'";

/// What every handler needs.
#[derive(Clone)]
pub(super) struct House {
    pub(super) hub: Arc<Hub>,
    pub(super) guard: Arc<Guard>,
}

/// What stands behind `?` when a session is opened.
#[derive(Deserialize)]
struct Ticket {
    session: Option<String>,
    token: Option<String>,
}

/// Every path that is served.
pub(super) fn router(house: House) -> Router {
    let mut router = Router::new().route("/ws", get(open)).route("/schema.json", get(serve_schema));
    for asset in &ASSETS {
        let serve = move |State(house): State<House>, headers: HeaderMap| async move { serve(&house, &headers, asset) };
        router = router.route(asset.path, get(serve));
    }
    router.with_state(house)
}

fn serve(house: &House, headers: &HeaderMap, asset: &Asset) -> Response {
    respond(house, headers, asset.kind, asset.bytes)
}

async fn serve_schema(State(house): State<House>, headers: HeaderMap) -> Response {
    respond(&house, &headers, "application/schema+json", schema::text().into_bytes())
}

fn respond(house: &House, headers: &HeaderMap, kind: &'static str, body: impl IntoResponse) -> Response {
    if let Err(reason) = house.guard.serves(visitor(headers, None)) {
        return turn_away(&reason);
    }
    const FIXED: [(HeaderName, &str); 4] = [
        (header::CACHE_CONTROL, "no-cache"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (FIXED, [(header::CONTENT_TYPE, kind)], body).into_response()
}

async fn open(
    State(house): State<House>,
    Query(ticket): Query<Ticket>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if let Err(reason) = house.guard.admits(visitor(&headers, ticket.token.as_deref())) {
        return turn_away(&reason);
    }
    let Some((session, arrival)) = house.hub.session(ticket.session.as_deref()) else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many sessions are open\n").into_response();
    };
    upgrade
        .max_message_size(LONGEST_MESSAGE)
        .max_frame_size(LONGEST_MESSAGE)
        .on_upgrade(move |socket| attend(socket, session, arrival))
}

fn visitor<'a>(headers: &'a HeaderMap, token: Option<&'a str>) -> Visitor<'a> {
    // A header that is no text matches nothing.
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    Visitor { host: text(header::HOST), origin: text(header::ORIGIN), token }
}

fn turn_away(reason: &NotAdmitted) -> Response {
    (StatusCode::FORBIDDEN, format!("volte: {reason}\n")).into_response()
}

/// Serves a client until it leaves.
async fn attend(mut socket: WebSocket, session: Arc<Session>, arrival: Arrival) {
    let entrance = session.enter(arrival);
    // An error means that the client is gone, which is no fault.
    let _ = converse(&mut socket, &session, entrance).await;
    session.leave();
}

async fn converse(socket: &mut WebSocket, session: &Arc<Session>, entrance: Entrance) -> Result<(), axum::Error> {
    let Entrance { first, mut events, mut news } = entrance;
    for packet in first {
        send(socket, &packet).await?;
    }
    loop {
        tokio::select! {
            message = socket.recv() => match message {
                None | Some(Ok(Message::Close(_))) => return Ok(()),
                Some(Ok(Message::Text(text))) => {
                    let (own, last) = answer(session, text.as_str()).await;
                    // What the request has caused comes before its `done`.
                    while let Ok(packet) = events.try_recv() {
                        send(socket, &packet).await?;
                    }
                    while let Ok(packet) = news.try_recv() {
                        send(socket, &packet).await?;
                    }
                    for packet in own.iter().chain(&last) {
                        send(socket, packet).await?;
                    }
                }
                Some(Ok(Message::Binary(_))) => send(socket, &malformed("requests are text")).await?,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Err(_)) => return refuse_to_read(socket).await,
            },
            event = events.recv() => match event {
                Ok(packet) => send(socket, &packet).await?,
                // A client that has missed something gets the whole.
                Err(RecvError::Lagged(_)) => send(socket, &session.state()).await?,
                Err(RecvError::Closed) => return Ok(()),
            },
            event = news.recv() => match event {
                Ok(packet) => send(socket, &packet).await?,
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return Ok(()),
            },
        }
    }
}

async fn send(socket: &mut WebSocket, packet: &Packet) -> Result<(), axum::Error> {
    socket.send(Message::text(packet.as_ref())).await
}

/// Tells a client that its message was too long to be read, if that is still possible.
async fn refuse_to_read(socket: &mut WebSocket) -> Result<(), axum::Error> {
    send(socket, &too_long()).await?;
    let reason = "the message is too long".into();
    socket.send(Message::Close(Some(CloseFrame { code: close_code::SIZE, reason }))).await
}

/// Carries out a request: its own answers, and the last word on it.
async fn answer(session: &Arc<Session>, text: &str) -> (Vec<Packet>, Option<Packet>) {
    if text.len() > LONGEST_REQUEST {
        return (Vec::new(), Some(too_long()));
    }
    let Request { id, intent } = match serde_json::from_str(text) {
        Ok(request) => request,
        Err(error) => return (Vec::new(), Some(refusal(id_of(text), RefusalCode::Malformed, error.to_string()))),
    };
    let session = Arc::clone(session);
    // The store and the locks of a session may block for a moment, and a fault ends this request alone.
    match tokio::task::spawn_blocking(move || session.handle(intent)).await {
        Ok(Ok(events)) => (events.iter().map(packet).collect(), id.map(|id| packet(&Event::Done { id }))),
        Ok(Err(refused)) => (Vec::new(), Some(packet(&Event::Error(refused.told(id))))),
        Err(_) => (Vec::new(), Some(refusal(id, RefusalCode::Internal, "the request has failed".to_owned()))),
    }
}

/// The number of a request that is otherwise not understood.
fn id_of(text: &str) -> Option<u64> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    value.get("id")?.as_u64()
}

fn malformed(message: &str) -> Packet {
    refusal(None, RefusalCode::Malformed, message.to_owned())
}

fn too_long() -> Packet {
    refusal(None, RefusalCode::TooLong, format!("a request has at most {LONGEST_REQUEST} bytes"))
}

fn refusal(id: Option<u64>, code: RefusalCode, message: String) -> Packet {
    packet(&Event::Error(Refusal { id, code, message, fault: None }))
}
