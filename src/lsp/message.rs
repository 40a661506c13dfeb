//! Message bodies: checks that a body is a JSON-RPC 2.0 message that the service can read, and creates the error
//! response if it is not.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Value, json};
use tower_lsp::jsonrpc::ErrorCode;

/// The reason why a body is not a valid message, as it is sent to the client in an error response.
#[derive(Debug)]
pub(super) struct Refusal {
    code: ErrorCode,
    message: String,
    /// The id of the request; null if none can be read.
    id: Value,
}

impl Refusal {
    pub(super) fn parse_error(message: impl Into<String>) -> Refusal {
        Refusal { code: ErrorCode::ParseError, message: message.into(), id: Value::Null }
    }

    pub(super) fn invalid(message: impl Into<String>, id: Value) -> Refusal {
        Refusal { code: ErrorCode::InvalidRequest, message: message.into(), id }
    }

    /// The body of the error response.
    pub(super) fn body(&self) -> String {
        let error = json!({ "code": self.code.code(), "message": self.message });
        json!({ "jsonrpc": "2.0", "id": self.id, "error": error }).to_string()
    }
}

/// The members of a message that the protocol defines.
#[derive(Default)]
struct Members {
    jsonrpc: Option<Value>,
    id: Option<Value>,
    method: Option<Value>,
    params: Option<Value>,
    result: Option<Value>,
    error: Option<Value>,
    /// A member that occurs more than once.
    repeated: Option<&'static str>,
}

/// A JSON text: the members of an object, or the kind of any other value.
enum Json {
    Object(Box<Members>),
    Other(&'static str),
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Other("null"))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Json, E> {
        Ok(Json::Other("a boolean"))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Json, E> {
        Ok(Json::Other("a number"))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Json, E> {
        Ok(Json::Other("a number"))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Json, E> {
        Ok(Json::Other("a number"))
    }

    fn visit_str<E>(self, _: &str) -> Result<Json, E> {
        Ok(Json::Other("a string"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Json::Other("an array"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut members = Box::<Members>::default();
        while let Some((name, value)) = entries.next_entry::<String, Value>()? {
            let (name, member) = match name.as_str() {
                "jsonrpc" => ("jsonrpc", &mut members.jsonrpc),
                "id" => ("id", &mut members.id),
                "method" => ("method", &mut members.method),
                "params" => ("params", &mut members.params),
                "result" => ("result", &mut members.result),
                "error" => ("error", &mut members.error),
                _ => continue,
            };
            if member.replace(value).is_some() {
                members.repeated = Some(name);
            }
        }
        Ok(Json::Object(members))
    }
}

/// Checks that a body is a message that the service can read. Returns the message in another form if the service needs
/// one, and `None` otherwise. A response is rewritten without the members that the service does not know.
///
/// # Errors
/// The reason why the body is not a valid message. The refusal of a request contains the request's id. The refusal of a
/// response does not, since this server chose the id of the response.
pub(super) fn judge(body: &[u8]) -> Result<Option<Vec<u8>>, Refusal> {
    let json = serde_json::from_slice(body).map_err(|error| Refusal::parse_error(format!("invalid JSON: {error}")))?;
    let members = match json {
        Json::Object(members) => *members,
        Json::Other(kind) => {
            return Err(Refusal::invalid(
                format!("expected a JSON object, found {kind}; send one message at a time"),
                Value::Null,
            ));
        }
    };
    let is_response = members.method.is_none() && (members.result.is_some() || members.error.is_some());
    let id = members.id.clone().filter(|id| !is_response && (id.is_string() || id.is_number()));
    let refuse = |message: String| Refusal::invalid(message, id.clone().unwrap_or_default());
    if let Some(name) = members.repeated {
        return Err(refuse(format!("duplicate member `{name}`")));
    }
    match &members.jsonrpc {
        Some(version) if version == "2.0" => {}
        Some(_) => return Err(refuse("unsupported `jsonrpc` version; expected \"2.0\"".into())),
        None => return Err(refuse("`jsonrpc` is missing; expected \"2.0\"".into())),
    }
    if is_response {
        return response(&members).map(Some);
    }
    match &members.method {
        Some(Value::String(_)) => {}
        Some(method) => return Err(refuse(format!("`method` is {}; expected a string", kind_of(method)))),
        None => return Err(refuse("expected one of `method`, `result` and `error`".into())),
    }
    if members.result.is_some() || members.error.is_some() {
        return Err(refuse(
            "a message cannot be both a request and a response: found `method` with `result` or `error`".into(),
        ));
    }
    // Some clients send `initialized` without params or with null; the service would drop it, and never read the
    // workspace.
    let is_bare = members.params.as_ref().is_none_or(Value::is_null);
    if is_bare && members.id.is_none() && members.method.as_ref().is_some_and(|method| method == "initialized") {
        return Ok(Some(json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }).to_string().into_bytes()));
    }
    // Many clients send null if there are no params.
    if let Some(params) = members.params.as_ref().filter(|it| !(it.is_null() || it.is_array() || it.is_object())) {
        return Err(refuse(format!("`params` is {}; expected an object or an array", kind_of(params))));
    }
    if let Some(id) = members.id.as_ref().filter(|id| !(id.is_string() || id.is_i64())) {
        return Err(refuse(format!("`id` is {}; expected a 64-bit integer or a string", kind_of(id))));
    }
    Ok(None)
}

/// Rewrites a response into the form that the service can read.
///
/// # Errors
/// The reason why the message is not a valid response.
fn response(members: &Members) -> Result<Vec<u8>, Refusal> {
    // This server chose the id of the response, so the error has no id.
    let refused = |message: &str| Refusal::invalid(message, Value::Null);
    let id = members.id.as_ref().filter(|id| id.is_string() || id.is_i64() || id.is_null());
    let id = id.ok_or_else(|| refused("the response has no `id`"))?;
    let response = match (&members.result, &members.error) {
        (Some(result), None) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        // Some clients send null for a missing member.
        (None | Some(Value::Null), Some(error)) => {
            let (code, message) = (error["code"].as_i64(), error["message"].as_str());
            let (code, message) = code
                .zip(message)
                .ok_or_else(|| refused("`error` must have an integer `code` and a string `message`"))?;
            let mut error = json!({ "code": code, "message": message, "data": error.get("data") });
            error.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        }
        _ => return Err(refused("the response has both `result` and `error`")),
    };
    Ok(response.to_string().into_bytes())
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if number.is_f64() => "a number that is not an integer",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
