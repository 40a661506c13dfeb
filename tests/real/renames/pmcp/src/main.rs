use async_trait::async_trait;
use pmcp::{RequestHandlerExtra, Server, ToolHandler};
use serde_json::{Value, json};

struct Read;

#[async_trait]
impl ToolHandler for Read {
    async fn handle(&self, arguments: Value, _: RequestHandlerExtra) -> pmcp::Result<Value> {
        Ok(json!({ "note": arguments["id"] }))
    }
}

struct Every;

#[async_trait]
impl ToolHandler for Every {
    async fn handle(&self, _: Value, _: RequestHandlerExtra) -> pmcp::Result<Value> {
        Ok(json!([1, 2]))
    }
}

struct Write;

#[async_trait]
impl ToolHandler for Write {
    async fn handle(&self, arguments: Value, _: RequestHandlerExtra) -> pmcp::Result<Value> {
        Ok(json!({ "written": arguments["text"] }))
    }
}

const COUNT: &str = "count_notes";

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = Server::builder()
        .name("notes")
        .version("1.0.0")
        .tool("read_note", Read)
        .tool("list_notes", Every)
        .tool("write_note", Write)
        .tool(COUNT, Every)
        .build()?;
    server.run_stdio().await?;
    Ok(())
}
