// `node:path`

export const sep = "/";
export const delimiter = ":";

export function join(...parts) {
  return intrinsic.join_paths(...parts);
}

export function resolve(...parts) {
  const path = intrinsic.join_paths(...parts);
  return intrinsic.starts_with(path, "/") ? path : intrinsic.unknown("the working directory");
}

export function normalize(path) {
  return intrinsic.join_paths(path);
}

export function dirname(path) {
  const at = path.lastIndexOf("/");
  return at < 0 ? "." : at === 0 ? "/" : path.slice(0, at);
}

export function basename(path, ending) {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return ending && name.endsWith(ending) ? name.slice(0, name.length - ending.length) : name;
}

export function extname(path) {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const at = name.lastIndexOf(".");
  return at <= 0 ? "" : name.slice(at);
}

export function parse(path) {
  const ext = extname(path);
  const base = basename(path);
  return { dir: dirname(path), base, ext, name: basename(path, ext), root: path.startsWith("/") ? "/" : "" };
}

export function isAbsolute(path) {
  return path.startsWith("/");
}

export function relative(from, to) {
  return to.startsWith(from + "/") ? to.slice(from.length + 1) : intrinsic.unknown("a relative path");
}

export const posix = { sep, join, resolve, normalize, dirname, basename, extname, parse, isAbsolute, relative };
export const win32 = posix;
export default { sep, delimiter, join, resolve, normalize, dirname, basename, extname, parse, isAbsolute, relative, posix };
