// Texts, numbers and regular expressions.

class String {
  static ["@@call"](value = "") {
    return intrinsic.text(value);
  }
  static raw(pieces, ...values) {
    let text = "";
    let index = 0;
    for (const piece of pieces) {
      text += piece;
      if (index < values.length) text += values[index];
      index++;
    }
    return text;
  }
  static fromCharCode(...codes) {
    return intrinsic.from_code(...codes);
  }
  static fromCodePoint(...codes) {
    return intrinsic.from_code(...codes);
  }
  toString() {
    return intrinsic.text(this);
  }
  valueOf() {
    return this;
  }
  toUpperCase() {
    return intrinsic.upper(this);
  }
  toLocaleUpperCase() {
    return intrinsic.upper(this);
  }
  toLowerCase() {
    return intrinsic.lower(this);
  }
  toLocaleLowerCase() {
    return intrinsic.lower(this);
  }
  trim() {
    return intrinsic.trim(this, undefined, "both");
  }
  trimStart() {
    return intrinsic.trim(this, undefined, "start");
  }
  trimEnd() {
    return intrinsic.trim(this, undefined, "end");
  }
  slice(from, to) {
    return intrinsic.slice_text(this, from, to);
  }
  substring(from = 0, to = this.length) {
    const low = Math.max(0, Math.min(from, to));
    return intrinsic.slice_text(this, low, Math.max(0, Math.max(from, to)));
  }
  substr(from, count = this.length) {
    const start = from < 0 ? Math.max(0, this.length + from) : from;
    return intrinsic.slice_text(this, start, start + count);
  }
  charAt(index = 0) {
    return intrinsic.char_at(this, index) ?? "";
  }
  at(index) {
    return intrinsic.char_at(this, index < 0 ? this.length + index : index);
  }
  charCodeAt(index = 0) {
    return intrinsic.char_code(this, index);
  }
  codePointAt(index = 0) {
    return intrinsic.code_point(this, index);
  }
  concat(...others) {
    return intrinsic.concat(this, ...others);
  }
  split(separator, limit) {
    const pieces = intrinsic.split(this, separator);
    return limit === undefined ? pieces : pieces.slice(0, limit);
  }
  replace(what, replacement) {
    const all = intrinsic.kind(what) === "pattern" && what.flags.includes("g");
    return intrinsic.replace(this, what, replacement, all);
  }
  replaceAll(what, replacement) {
    return intrinsic.replace(this, what, replacement, true);
  }
  match(what) {
    const pattern = intrinsic.pattern(what, "");
    const found = intrinsic.matches(this, pattern);
    if (found.length === 0) return null;
    return pattern.flags.includes("g") ? found.map((one) => one[0]) : found[0];
  }
  matchAll(what) {
    return intrinsic.generator(intrinsic.matches(this, what));
  }
  search(what) {
    const found = intrinsic.matches(this, intrinsic.pattern(what, ""));
    return found.length === 0 ? -1 : found[0].index;
  }
  startsWith(part, from = 0) {
    return intrinsic.starts_with(from === 0 ? this : intrinsic.slice_text(this, from), part);
  }
  endsWith(part, to) {
    return intrinsic.ends_with(to === undefined ? this : intrinsic.slice_text(this, 0, to), part);
  }
  includes(part) {
    return intrinsic.includes(this, part);
  }
  indexOf(part, from = 0) {
    return intrinsic.index_of(this, part, from);
  }
  lastIndexOf(part) {
    return intrinsic.last_index_of(this, part);
  }
  repeat(count) {
    return intrinsic.repeat(this, count);
  }
  padStart(length, fill = " ") {
    return intrinsic.pad(this, length, fill, true);
  }
  padEnd(length, fill = " ") {
    return intrinsic.pad(this, length, fill, false);
  }
  localeCompare(other) {
    return this < other ? -1 : this > other ? 1 : 0;
  }
  normalize() {
    return this;
  }
  ["@@iterator"]() {
    return intrinsic.generator(this);
  }
}

class Number {
  static ["@@call"](value = 0) {
    return intrinsic.number(value);
  }
  static isInteger(value) {
    return typeof value === "number" && Math.floor(value) === value;
  }
  static isSafeInteger(value) {
    return Number.isInteger(value);
  }
  static isFinite(value) {
    return typeof value === "number" && value - value === 0;
  }
  static isNaN(value) {
    return value !== value;
  }
  static parseInt(text, radix) {
    return intrinsic.parse_int(text, radix);
  }
  static parseFloat(text) {
    return intrinsic.parse_float(text);
  }
  static MAX_SAFE_INTEGER = 9007199254740991;
  static MIN_SAFE_INTEGER = -9007199254740991;
  static MAX_VALUE = 1e308;
  static EPSILON = 1e-15;
  toString(radix = 10) {
    return intrinsic.number_text(this, radix);
  }
  toFixed(digits = 0) {
    return intrinsic.fixed(this, digits);
  }
  toLocaleString() {
    return intrinsic.unknown("a number as people write it");
  }
  valueOf() {
    return this;
  }
}

class BigInt {
  static ["@@call"](value) {
    return intrinsic.number(value);
  }
}

const NaN = intrinsic.number("not a number");
const Infinity = 1 / 0;
const parseInt = (text, radix) => intrinsic.parse_int(text, radix);
const parseFloat = (text) => intrinsic.parse_float(text);
const isNaN = (value) => intrinsic.number(value) !== intrinsic.number(value);
const isFinite = (value) => Number.isFinite(intrinsic.number(value));
const encodeURIComponent = (text) => intrinsic.replace(text, / /g, "%20", true);
const decodeURIComponent = (text) => intrinsic.replace(text, /%20/g, " ", true);
const encodeURI = encodeURIComponent;
const decodeURI = decodeURIComponent;

class RegExp {
  constructor(source, flags = "") {
    return intrinsic.pattern(source, flags);
  }
  static ["@@call"](source, flags = "") {
    return intrinsic.pattern(source, flags);
  }
  test(text) {
    return intrinsic.matches(text, this).length > 0;
  }
  exec(text) {
    const found = intrinsic.matches(text, this);
    if (this.flags.includes("g")) return intrinsic.unknown("the next match of a pattern");
    return found.length === 0 ? null : found[0];
  }
  toString() {
    return `/${this.source}/${this.flags}`;
  }
}

const Math = {
  floor: (x) => intrinsic.math("floor", x),
  ceil: (x) => intrinsic.math("ceil", x),
  round: (x) => intrinsic.math("round", x),
  trunc: (x) => intrinsic.math("trunc", x),
  abs: (x) => intrinsic.math("abs", x),
  sqrt: (x) => intrinsic.math("sqrt", x),
  sign: (x) => intrinsic.math("sign", x),
  log2: (x) => intrinsic.math("log2", x),
  log10: (x) => intrinsic.math("log10", x),
  pow: (x, y) => intrinsic.math("pow", x, y),
  max: (...all) => intrinsic.math("max", ...all),
  min: (...all) => intrinsic.math("min", ...all),
  random: () => intrinsic.unknown("a random number"),
  PI: 3.141592653589793,
  E: 2.718281828459045,
};
