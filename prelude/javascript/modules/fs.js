// `node:fs`: the files of the workspace can be read.

function path_of(path) {
  return path.href === undefined ? path : path.pathname;
}

export function readFileSync(path) {
  return intrinsic.read_file(path_of(path));
}

export function existsSync(path) {
  const kind = intrinsic.path_kind(path_of(path));
  return intrinsic.kind(kind) === "text" ? true : kind;
}

export function readdirSync(path, options) {
  const names = intrinsic.read_folder(path_of(path));
  if (!options || !options.withFileTypes) return names;
  return names.map((name) => ({
    name,
    parentPath: path_of(path),
    path: path_of(path),
    isDirectory: () => intrinsic.path_kind(intrinsic.join_paths(path_of(path), name)) === "folder",
    isFile: () => intrinsic.path_kind(intrinsic.join_paths(path_of(path), name)) === "file",
    isSymbolicLink: () => false,
  }));
}

export function statSync(path) {
  return {
    isDirectory: () => intrinsic.path_kind(path_of(path)) === "folder",
    isFile: () => intrinsic.path_kind(path_of(path)) === "file",
    size: intrinsic.unknown("the size of a file"),
    mtimeMs: intrinsic.unknown("the time of a file"),
  };
}

export const lstatSync = statSync;
export function realpathSync(path) {
  return path;
}
export function mkdirSync() {}
export function writeFileSync() {}
export function appendFileSync() {}
export function rmSync() {}
export function unlinkSync() {}

export const promises = {
  readFile: async (path) => readFileSync(path),
  readdir: async (path, options) => readdirSync(path, options),
  stat: async (path) => statSync(path),
  access: async (path) => {
    existsSync(path);
  },
  mkdir: async () => {},
  writeFile: async () => {},
  realpath: async (path) => path,
};

export function readFile(path, options, done) {
  (done ?? options)(null, readFileSync(path));
}

export function readdir(path, options, done) {
  (done ?? options)(null, readdirSync(path));
}

export default {
  readFileSync,
  existsSync,
  readdirSync,
  statSync,
  lstatSync,
  realpathSync,
  mkdirSync,
  writeFileSync,
  appendFileSync,
  rmSync,
  unlinkSync,
  promises,
  readFile,
  readdir,
};
