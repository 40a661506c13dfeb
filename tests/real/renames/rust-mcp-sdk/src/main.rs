use std::sync::Arc;

use async_trait::async_trait;
use rust_mcp_sdk::{
    McpServer, RequestContext, ServerDetails, StdioTransport, ToMcpServerHandler, TransportOptions,
    error::SdkResult,
    macros::{JsonSchema, mcp_tool},
    mcp_server::{McpServerOptions, ServerHandler, server_runtime},
    schema::{
        CallToolRequestParams, CallToolResult, Implementation, ListToolsResult, ListToolsResultCacheScope,
        PaginatedRequestParams, RpcError, ServerCapabilities, ServerCapabilitiesTools,
        ServerResult, TextContent, schema_utils::CallToolError,
    },
    tool_box,
};

#[mcp_tool(
    name = "read_note",
    description = "Read a note by its id",
    title = "Read a note",
    read_only_hint = true
)]
#[derive(Debug, ::serde::Deserialize, ::serde::Serialize, JsonSchema)]
pub struct ReadNoteTool {
    /// The id of the note
    pub id: i64,
}

impl ReadNoteTool {
    pub fn call_tool(&self) -> Result<CallToolResult, CallToolError> {
        Ok(CallToolResult::text_content(vec![TextContent::from(
            format!("note {}", self.id),
        )]))
    }
}

#[mcp_tool(name = "list_notes", description = "List the ids of all notes")]
#[derive(Debug, ::serde::Deserialize, ::serde::Serialize, JsonSchema)]
pub struct ListNotesTool {}

impl ListNotesTool {
    pub fn call_tool(&self) -> Result<CallToolResult, CallToolError> {
        Ok(CallToolResult::text_content(vec![TextContent::from(
            "1, 2".to_string(),
        )]))
    }
}

#[mcp_tool(name = "write_note", description = "Write a note")]
#[derive(Debug, ::serde::Deserialize, ::serde::Serialize, JsonSchema)]
pub struct WriteNoteTool {
    /// The id of the note
    pub id: i64,
    /// The text of the note
    pub text: String,
}

#[mcp_tool(name = "count_notes", description = "Count the notes")]
#[derive(Debug, ::serde::Deserialize, ::serde::Serialize, JsonSchema)]
pub struct CountNotesTool {
    /// Kind of notes to count
    pub kind: Option<String>,
}

tool_box!(
    NoteTools,
    [ReadNoteTool, ListNotesTool, WriteNoteTool, CountNotesTool]
);

pub struct NotesHandler;

#[async_trait]
impl ServerHandler for NotesHandler {
    async fn handle_list_tools_request(
        &self,
        _params: Option<PaginatedRequestParams>,
        _context: &RequestContext,
        _runtime: Arc<dyn McpServer>,
    ) -> Result<ListToolsResult, RpcError> {
        Ok(ListToolsResult {
            cache_scope: ListToolsResultCacheScope::Private,
            result_type: "complete".to_string(),
            ttl_ms: 0,
            meta: None,
            next_cursor: None,
            tools: NoteTools::tools(),
        })
    }

    async fn handle_call_tool_request(
        &self,
        params: CallToolRequestParams,
        _context: &RequestContext,
        _runtime: Arc<dyn McpServer>,
    ) -> Result<ServerResult, CallToolError> {
        let tool_params: NoteTools = NoteTools::try_from(params).map_err(CallToolError::new)?;

        match tool_params {
            NoteTools::ReadNoteTool(tool) => tool.call_tool().map(|r| r.into()),
            NoteTools::ListNotesTool(tool) => tool.call_tool().map(|r| r.into()),
            NoteTools::WriteNoteTool(tool) => Ok(CallToolResult::text_content(vec![
                TextContent::from(format!("{}: {}", tool.id, tool.text)),
            ])
            .into()),
            NoteTools::CountNotesTool(tool) => Ok(CallToolResult::text_content(vec![
                TextContent::from(format!("2 of {}", tool.kind.as_deref().unwrap_or("all"))),
            ])
            .into()),
        }
    }
}

#[tokio::main]
async fn main() -> SdkResult<()> {
    let server_details = ServerDetails {
        server_info: Implementation {
            name: "notes".into(),
            version: "0.1.0".into(),
            title: Some("Notes".into()),
            description: None,
            icons: vec![],
            website_url: None,
        },
        capabilities: ServerCapabilities {
            tools: Some(ServerCapabilitiesTools { list_changed: None }),
            ..Default::default()
        },
        instructions: None,
        meta: None,
    };

    let transport = StdioTransport::new(TransportOptions::default())?;
    let server = server_runtime::create_server(McpServerOptions {
        server_details,
        transport,
        handler: NotesHandler.to_mcp_server_handler(),
        message_observer: None,
    });
    server.start().await
}
