export const WRITE = "write_note";
