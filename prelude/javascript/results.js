// Methods of other packages whose results their arguments show; `undefined` if they do not.

const shownResults = {
  // What a schema accepts, it gives back. What is no schema that somebody made may parse a text to anything.
  parse(value) {
    return this !== undefined || typeof value === "object" ? value : undefined;
  },
  async parseAsync(value) {
    return this !== undefined || typeof value === "object" ? value : undefined;
  },
};
