// `node:url`

export function fileURLToPath(url) {
  const text = url.href ?? url;
  return text.startsWith("file://") ? text.slice(7) : text;
}

export function pathToFileURL(path) {
  return { href: "file://" + path, pathname: path, toString: () => "file://" + path };
}

export default { fileURLToPath, pathToFileURL };
