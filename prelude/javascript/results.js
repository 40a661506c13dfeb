// Methods of other packages whose results their arguments show; `undefined` if they do not.

const shownResults = {
  // What a schema accepts, it gives back. A text may be parsed to anything.
  parse(value) {
    return typeof value === "object" ? value : undefined;
  },
  async parseAsync(value) {
    return typeof value === "object" ? value : undefined;
  },
};
