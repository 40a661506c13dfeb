// `zod/v4` has what `zod` has.

export * from "zod";
export { z as default } from "zod";
