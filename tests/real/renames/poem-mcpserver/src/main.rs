use poem_mcpserver::{McpServer, Tools, content::Text, stdio::stdio};

struct Notes;

/// This server keeps short notes.
#[Tools]
impl Notes {
    /// Read a note by its id
    async fn read_note(
        &self,
        /// The id of the note
        id: i64,
    ) -> Text<String> {
        Text(format!("note {id}"))
    }

    /// List the ids of all notes
    async fn list_notes(&self) -> Text<String> {
        Text("1, 2".to_string())
    }

    /// Write a note
    #[mcp(name = "write_note")]
    async fn save(
        &mut self,
        /// The id of the note
        id: i64,
        /// The text of the note
        text: String,
    ) -> Text<String> {
        Text(format!("{id}: {text}"))
    }

    /// Count the notes
    async fn count_notes(
        &self,
        /// Kind of notes to count
        kind: Option<String>,
    ) -> Text<String> {
        Text(format!("2 of {}", kind.unwrap_or_else(|| "all".to_string())))
    }
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    stdio(McpServer::new().tools(Notes)).await
}
