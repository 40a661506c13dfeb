use std::error::Error;

use rmcp::handler::server::wrapper::Parameters;
use rmcp::schemars::{self, JsonSchema};
use rmcp::transport::stdio;
use rmcp::{ServerHandler, ServiceExt, tool, tool_handler, tool_router};
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Note {
    id: u32,
}

struct Notes;

#[tool_router]
impl Notes {
    /// Reads one. Call `list_notes` first.
    #[tool]
    fn read_note(&self, Parameters(Note { id }): Parameters<Note>) -> String {
        format!("note {id}")
    }

    #[tool(name = "list_notes", description = "Lists all")]
    async fn every(&self) -> Result<String, String> {
        Ok("1, 2".into())
    }

    #[tool(description = "Writes one", annotations(destructive_hint = true, title = "Write, at last"))]
    async fn write_note(&self, Parameters(note): Parameters<Note>) -> Result<String, String> {
        Ok(format!("wrote {}", note.id))
    }

    #[tool(description = "Counts them")]
    fn count_notes(&self) -> String {
        "2".into()
    }
}

#[tool_handler]
impl ServerHandler for Notes {}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    Notes.serve(stdio()).await?.waiting().await?;
    Ok(())
}
