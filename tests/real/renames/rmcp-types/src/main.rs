use std::{borrow::Cow, sync::Arc};

use rmcp::{
    ErrorData, ServerHandler, ServiceExt,
    handler::server::router::tool::{AsyncTool, SyncTool, ToolBase, ToolRouter},
    model::{JsonObject, ToolAnnotations},
    schemars, tool_handler,
    transport::stdio,
};
use serde::{Deserialize, Serialize};

#[derive(Serialize, schemars::JsonSchema)]
pub struct Answer {
    answer: String,
}

#[derive(Deserialize, schemars::JsonSchema, Default)]
pub struct ReadNoteParams {
    /// The id of the note
    id: i64,
}

pub struct ReadNote;

impl ToolBase for ReadNote {
    type Parameter = ReadNoteParams;
    type Output = Answer;
    type Error = ErrorData;

    fn name() -> Cow<'static, str> {
        "read_note".into()
    }

    fn description() -> Option<Cow<'static, str>> {
        Some("Read a note by its id".into())
    }

    fn annotations() -> Option<ToolAnnotations> {
        Some(ToolAnnotations::new().read_only(true))
    }
}

impl AsyncTool<Notes> for ReadNote {
    async fn invoke(_service: &Notes, param: ReadNoteParams) -> Result<Answer, ErrorData> {
        Ok(Answer { answer: format!("note {}", param.id) })
    }
}

pub struct ListNotes;

impl ToolBase for ListNotes {
    type Parameter = ();
    type Output = Answer;
    type Error = ErrorData;

    fn name() -> Cow<'static, str> {
        "list_notes".into()
    }

    fn description() -> Option<Cow<'static, str>> {
        Some("List the ids of all notes".into())
    }

    fn input_schema() -> Option<Arc<JsonObject>> {
        None
    }
}

impl SyncTool<Notes> for ListNotes {
    fn invoke(_service: &Notes, _param: ()) -> Result<Answer, ErrorData> {
        Ok(Answer { answer: "1, 2".to_string() })
    }
}

#[derive(Deserialize, schemars::JsonSchema, Default)]
pub struct WriteNoteParams {
    id: i64,
    text: String,
}

pub struct WriteNote;

impl ToolBase for WriteNote {
    type Parameter = WriteNoteParams;
    type Output = Answer;
    type Error = ErrorData;

    fn name() -> Cow<'static, str> {
        "write_note".into()
    }
}

impl SyncTool<Notes> for WriteNote {
    fn invoke(_service: &Notes, param: Self::Parameter) -> Result<Self::Output, Self::Error> {
        Ok(Answer { answer: format!("{}: {}", param.id, param.text) })
    }
}

#[derive(Deserialize, schemars::JsonSchema, Default)]
pub struct CountNotesParams {
    kind: Option<String>,
}

pub struct CountNotes;

impl ToolBase for CountNotes {
    type Parameter = CountNotesParams;
    type Output = Answer;
    type Error = ErrorData;

    fn name() -> Cow<'static, str> {
        Cow::Borrowed("count_notes")
    }

    fn description() -> Option<Cow<'static, str>> {
        Some("Count the notes".into())
    }
}

impl AsyncTool<Notes> for CountNotes {
    async fn invoke(_service: &Notes, param: Self::Parameter) -> Result<Self::Output, Self::Error> {
        let kind = param.kind.unwrap_or_else(|| "all".to_string());
        Ok(Answer { answer: format!("2 of {kind}") })
    }
}

#[derive(Clone)]
pub struct Notes;

impl Notes {
    pub fn tool_router() -> ToolRouter<Self> {
        ToolRouter::new()
            .with_async_tool::<ReadNote>()
            .with_sync_tool::<ListNotes>()
            .with_sync_tool::<WriteNote>()
            .with_async_tool::<CountNotes>()
    }
}

#[tool_handler]
impl ServerHandler for Notes {}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let service = Notes.serve(stdio()).await?;
    service.waiting().await?;
    Ok(())
}
