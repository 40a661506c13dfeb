use turbomcp::prelude::*;

#[derive(Clone)]
struct Notes;

#[server(name = "notes", version = "1.0.0")]
impl Notes {
    #[tool("Read a note by its id")]
    async fn read_note(
        &self,
        #[description("The id of the note")] id: i64,
    ) -> McpResult<String> {
        Ok(format!("note {id}"))
    }

    /// List the ids of all notes
    #[tool(read_only = true)]
    async fn list_notes(&self) -> McpResult<String> {
        Ok("1, 2".to_string())
    }

    #[tool(description = "Write a note", idempotent = true)]
    async fn write_note(&self, id: i64, text: String) -> McpResult<String> {
        Ok(format!("{id}: {text}"))
    }

    #[tool("Count the notes")]
    async fn count_notes(&self, kind: Option<String>) -> McpResult<String> {
        Ok(format!("2 of {}", kind.unwrap_or_else(|| "all".to_string())))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Notes.run_stdio().await?;
    Ok(())
}
