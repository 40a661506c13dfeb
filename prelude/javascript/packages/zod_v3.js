// `zod/v3` has what `zod` has.

export * from "zod";
export { z as default } from "zod";
