// Imports programs one after the other and prints, for each, the tools that it registers on the SDK beside it.
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

for (const method of ["log", "info", "warn", "error", "debug"]) console[method] = () => {};

let run;
globalThis.__recorder = {
  tool(server, name) {
    if (typeof name !== "string") throw new TypeError(`the name of a tool is ${typeof name}`);
    if (typeof server !== "string") throw new TypeError(`the name of a server is ${typeof server}`);
    run.tools.push([server, name]);
  },
  list(server, handler) {
    run.lists.push([server, handler]);
  },
};

const failed = (error) => {
  if (run) run.error ??= String(error?.stack ?? error);
};
process.on("unhandledRejection", failed);
process.on("uncaughtException", failed);

for await (const line of createInterface({ input: process.stdin })) {
  const { entry, settles, environment } = JSON.parse(line);
  Object.assign(process.env, environment);
  run = { tools: [], lists: [], error: undefined };
  try {
    await import(pathToFileURL(entry));
    await new Promise((resolve) => setTimeout(resolve, settles ? 30 : 0));
    for (const [server, handler] of run.lists) {
      const answer = await handler({ method: "tools/list", params: {} }, {});
      for (const tool of answer.tools) globalThis.__recorder.tool(server, tool.name);
    }
  } catch (error) {
    failed(error);
  }
  for (const name of Object.keys(environment)) delete process.env[name];
  writeSync(1, JSON.stringify({ tools: run.tools, error: run.error }) + "\n");
}
