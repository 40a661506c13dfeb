// The part of @modelcontextprotocol/sdk that the programs use. Every registration is recorded.
const recorder = globalThis.__recorder;

exports.ListToolsRequestSchema = { method: "tools/list" };
exports.CallToolRequestSchema = { method: "tools/call" };

class Server {
  constructor(info) {
    this._info = info;
  }
  setRequestHandler(schema, handler) {
    if (schema === exports.ListToolsRequestSchema) recorder.list(this._info.name, handler);
  }
  async connect() {}
  async close() {}
}
exports.Server = Server;

class McpServer {
  constructor(info, options) {
    this._info = info;
    this.server = new Server(info, options);
  }
  registerTool(name, config, handler) {
    if (typeof handler !== "function") throw new TypeError("a tool needs a function");
    recorder.tool(this._info.name, name);
    return { enable() {}, disable() {}, remove() {}, update() {} };
  }
  tool(name, ...rest) {
    return this.registerTool(name, {}, rest.at(-1));
  }
  registerPrompt() {}
  registerResource() {}
  async connect() {}
  async close() {}
}
exports.McpServer = McpServer;

exports.StdioServerTransport = class StdioServerTransport {};
