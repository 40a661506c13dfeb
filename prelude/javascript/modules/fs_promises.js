// `node:fs/promises`
import { promises } from "fs";

export const readFile = promises.readFile;
export const readdir = promises.readdir;
export const stat = promises.stat;
export const access = promises.access;
export const mkdir = promises.mkdir;
export const writeFile = promises.writeFile;
export const realpath = promises.realpath;
export default promises;
