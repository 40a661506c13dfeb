use schemars::JsonSchema;
use serde::Deserialize;
use tower_mcp::{BoxError, CallToolResult, McpRouter, StdioTransport, ToolBuilder};

#[derive(Debug, Deserialize, JsonSchema)]
struct Read {
    id: u32,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Write {
    id: u32,
    text: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Nothing {}

const WRITE: &str = "write_note";

async fn every(_: Nothing) -> tower_mcp::Result<CallToolResult> {
    Ok(CallToolResult::text("1, 2"))
}

#[tokio::main]
async fn main() -> Result<(), BoxError> {
    let read = ToolBuilder::new("read_note")
        .title("Read note")
        .description("Reads one. Call `list_notes` first.")
        .read_only()
        .handler(|input: Read| async move { Ok(CallToolResult::text(format!("note {}", input.id))) })
        .build();
    let write = ToolBuilder::new(WRITE)
        .description("Writes one.")
        .handler(|input: Write| async move { Ok(CallToolResult::text(format!("{}: {}", input.id, input.text))) })
        .build();
    let router = McpRouter::new()
        .server_info("notes", "1.0.0")
        .tool(read)
        .tool(ToolBuilder::new("list_notes").description("Lists all.").handler(every).build())
        .tool(write)
        .tool(
            ToolBuilder::new("count_notes")
                .description("Counts them.")
                .handler(|_: Nothing| async move { Ok(CallToolResult::text("2")) })
                .build(),
        );
    StdioTransport::new(router).run().await?;
    Ok(())
}
