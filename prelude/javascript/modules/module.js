// `node:module`

export function createRequire() {
  return intrinsic.require;
}

export default { createRequire };
