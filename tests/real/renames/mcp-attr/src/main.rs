use mcp_attr::Result;
use mcp_attr::server::{McpServer, RequestContext, mcp_server, serve_stdio};

struct Notes;

#[mcp_server]
impl McpServer for Notes {
    /// Reads one. Call `list_notes` first.
    #[tool("read_note")]
    async fn read(&self, id: u32) -> Result<String> {
        Ok(format!("note {id}"))
    }

    /// Lists all.
    #[tool]
    async fn list_notes(&self) -> Result<String> {
        Ok("1, 2".to_string())
    }

    /// Writes one.
    #[tool("write_note")]
    async fn write(
        &self,
        /// Which one.
        id: u32,
        #[arg("text")] written: String,
        context: &RequestContext,
    ) -> Result<String> {
        let _ = context;
        Ok(format!("{id}: {written}"))
    }

    /// Counts them.
    #[tool("count_notes")]
    async fn count(&self, kind: Option<String>) -> Result<String> {
        Ok(format!("2 of {}", kind.unwrap_or_default()))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    serve_stdio(Notes).await?;
    Ok(())
}
