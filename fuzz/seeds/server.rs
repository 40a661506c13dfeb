use rmcp::{tool, tool_handler, tool_router, ServerHandler, model::*};
const NAME: &str = concat!("se", "ven");
macro_rules! named { ($name:expr) => { format!("x_{}", $name) }; }
pub enum Kind { Read, Write(u8) }
struct S { router: ToolRouter<S> }
#[tool_router(router = tools)]
impl S {
    #[tool(name = "seven", description = r#"Reads "it"."#, annotations(read_only_hint = true))]
    async fn seven(&self, Parameters(Id { id }): Parameters<Id>) -> Result<String, ErrorData> { Ok(id) }
    /// Eight.
    #[tool]
    fn eight(&self) -> String { named!("y") }
}
#[tool_handler(router = self.tools)]
impl ServerHandler for S {
    async fn call_tool(&self, request: CallToolRequestParam) -> Result<CallToolResult, ErrorData> {
        match request.name.as_ref() {
            "seven" | NAME => Ok(Default::default()),
            other if other.starts_with('a') => todo!(),
            _ => Err(ErrorData::invalid_params(format!("{other}"), None)),
        }
    }
    async fn list_tools(&self) -> Vec<Tool> { vec![Tool::new("nine", "Nine.", serde_json::json!({ "type": "object" }))] }
}
