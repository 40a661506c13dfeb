// Errors, promises, JSON, timers, and what a program has of its surroundings.

class Error {
  constructor(message = "", options) {
    this.message = message;
    this.name = "Error";
    this.stack = intrinsic.unknown("a stack trace");
    if (options && options.cause) this.cause = options.cause;
  }
  static ["@@call"](message, options) {
    return new Error(message, options);
  }
  static captureStackTrace() {}
  toString() {
    return `${this.name}: ${this.message}`;
  }
}

class TypeError extends Error {
  constructor(message) {
    super(message);
    this.name = "TypeError";
  }
}
class RangeError extends Error {
  constructor(message) {
    super(message);
    this.name = "RangeError";
  }
}
class SyntaxError extends Error {
  constructor(message) {
    super(message);
    this.name = "SyntaxError";
  }
}
class ReferenceError extends Error {
  constructor(message) {
    super(message);
    this.name = "ReferenceError";
  }
}
class EvalError extends Error {}
class URIError extends Error {}
class AggregateError extends Error {
  constructor(errors, message) {
    super(message);
    this.errors = errors;
  }
}

class Promise {
  constructor(run) {
    let result;
    let settled = false;
    const resolve = (value) => {
      if (!settled) result = intrinsic.promise(value);
      settled = true;
    };
    const reject = (error) => {
      if (!settled) result = intrinsic.rejected(error);
      settled = true;
    };
    try {
      run(resolve, reject);
    } catch (error) {
      reject(error);
    }
    return settled ? result : intrinsic.promise(intrinsic.unknown("a promise that is settled later"));
  }
  static resolve(value) {
    return intrinsic.promise(value);
  }
  static reject(error) {
    return intrinsic.rejected(error);
  }
  static async all(promises) {
    const values = [];
    for (const promise of promises) values.push(await promise);
    return values;
  }
  static async allSettled(promises) {
    const values = [];
    for (const promise of promises) {
      const [fulfilled, value] = intrinsic.settled(promise);
      values.push(fulfilled ? { status: "fulfilled", value } : { status: "rejected", reason: value });
    }
    return values;
  }
  static async race(promises) {
    for (const promise of promises) return await promise;
  }
  static async any(promises) {
    for (const promise of promises) {
      const [fulfilled, value] = intrinsic.settled(promise);
      if (fulfilled) return value;
    }
    throw new AggregateError([], "all promises were rejected");
  }
  static withResolvers() {
    return intrinsic.unknown("a promise that is settled later");
  }
  then(next, failed) {
    const [fulfilled, value] = intrinsic.settled(this);
    const run = fulfilled ? next : failed;
    if (!run) return this;
    try {
      return intrinsic.promise(run(value));
    } catch (error) {
      return intrinsic.rejected(error);
    }
  }
  catch(failed) {
    return this.then(undefined, failed);
  }
  finally(run) {
    run();
    return this;
  }
}

const JSON = {
  parse(text, revive) {
    const value = intrinsic.json(intrinsic.text(text));
    if (value === undefined) throw new SyntaxError("this is no JSON");
    return revive ? revived("", value, revive) : value;
  },
  stringify(value) {
    return has_json(value) ? json_text(value) : undefined;
  },
};

function revived(key, value, revive) {
  if (intrinsic.kind(value) === "list") return revive(key, value.map((one, index) => revived(String(index), one, revive)));
  if (intrinsic.kind(value) === "object") {
    for (const [name, one] of intrinsic.pairs(value)) value[name] = revived(name, one, revive);
  }
  return revive(key, value);
}

function has_json(value) {
  return value !== undefined && typeof value !== "function";
}

function escaped(text) {
  const quoted = text.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  return quoted.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t");
}

function json_text(value) {
  const kind = intrinsic.kind(value);
  if (kind === "text") return '"' + (/["\\\n\r\t]/.test(value) ? escaped(value) : value) + '"';
  if (kind === "number" || kind === "bool" || kind === "null") return intrinsic.text(value);
  if (kind === "list") return "[" + value.map((one) => (has_json(one) ? json_text(one) : "null")).join(",") + "]";
  if (kind === "object") {
    const parts = [];
    for (const [key, one] of intrinsic.pairs(value)) {
      if (has_json(one)) parts.push(json_text(key) + ":" + json_text(one));
    }
    return "{" + parts.join(",") + "}";
  }
  return intrinsic.unknown("a value as JSON");
}

const structuredClone = (value) => cloned(value);

function cloned(value) {
  const kind = intrinsic.kind(value);
  if (kind === "list") return value.map((one) => cloned(one));
  if (kind === "table") return new Map([...value].map(([key, one]) => [key, cloned(one)]));
  if (kind === "set") return new Set([...value]);
  if (kind !== "object") return value;
  const copy = {};
  for (const [key, one] of intrinsic.pairs(value)) copy[key] = cloned(one);
  return copy;
}

const setTimeout = (run) => intrinsic.later(run);
const setInterval = (run) => intrinsic.later(run);
const setImmediate = (run) => intrinsic.later(run);
const queueMicrotask = (run) => intrinsic.later(run);
const clearTimeout = () => undefined;
const clearInterval = () => undefined;
const clearImmediate = () => undefined;

const console = {
  log() {},
  info() {},
  warn() {},
  error() {},
  debug() {},
  trace() {},
  table() {},
  group() {},
  groupEnd() {},
  time() {},
  timeEnd() {},
  assert() {},
  dir() {},
  count() {},
};

const process = {
  env: intrinsic.unknown("the environment"),
  argv: intrinsic.unknown("the arguments of the process"),
  execArgv: [],
  platform: intrinsic.unknown("the platform"),
  arch: intrinsic.unknown("the architecture"),
  version: intrinsic.unknown("the version of Node"),
  versions: intrinsic.unknown("the version of Node"),
  pid: intrinsic.unknown("the number of the process"),
  cwd: () => intrinsic.supposed("/", "the working directory"),
  uptime: () => intrinsic.unknown("the time"),
  memoryUsage: () => intrinsic.unknown("the memory"),
  hrtime: () => intrinsic.unknown("the time"),
  nextTick: (run, ...args) => intrinsic.later(() => run(...args)),
  exit() {
    intrinsic.stop();
  },
  on(_event, run) {
    return process;
  },
  once() {
    return process;
  },
  off() {
    return process;
  },
  emitWarning() {},
  stdout: { write() {}, on() {}, isTTY: intrinsic.unknown("the terminal") },
  stderr: { write() {}, on() {}, isTTY: intrinsic.unknown("the terminal") },
  stdin: intrinsic.unknown("the input"),
};

class Date {
  static now() {
    return intrinsic.unknown("the time");
  }
  constructor() {
    return intrinsic.unknown("the time");
  }
}

class URL {
  constructor(path, base) {
    const target = intrinsic.text(path);
    const from = base === undefined ? "" : base.href ?? base;
    if (target.includes("://") || base === undefined) this.href = target;
    else if (intrinsic.starts_with(from, "file://")) {
      const folder = from.slice(7, from.lastIndexOf("/"));
      const slash = target.endsWith("/") ? "/" : "";
      this.href = "file://" + intrinsic.join_paths(folder, target) + slash;
    } else this.href = intrinsic.unknown("an address");
    this.pathname = intrinsic.starts_with(this.href, "file://") ? this.href.slice(7) : intrinsic.unknown("an address");
  }
  toString() {
    return this.href;
  }
}

const require = intrinsic.require;
require.resolve = (path) => path;

globalThis.process = process;
globalThis.console = console;
globalThis.Object = Object;
globalThis.Array = Array;
globalThis.Map = Map;
globalThis.Set = Set;
globalThis.JSON = JSON;
globalThis.Math = Math;
globalThis.Promise = Promise;
const global = globalThis;
