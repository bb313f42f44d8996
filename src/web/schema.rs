//! The JSON Schema of the interface, made from the types of the messages.

use super::message::{Event, Request};
use schemars::schema_for;
use serde_json::json;

/// The schema of requests and events, as JSON: `request` is what a client sends, `event` what it gets.
pub fn text() -> String {
    let schema = json!({
        "title": "The interface of `volte serve`",
        "request": schema_for!(Request),
        "event": schema_for!(Event),
    });
    serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n"
}
