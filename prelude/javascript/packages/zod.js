// `zod`, as far as programs read names from schemas: literals, enumerations and the shapes of objects. What is not
// here is another package's.

class ZodType {
  constructor(definition) {
    this._def = definition;
    this.def = definition;
  }
  or(other) {
    return new ZodUnion([this, other]);
  }
  and(other) {
    return new ZodType({ left: this, right: other });
  }
  array() {
    return new ZodArray(this);
  }
  parse(value) {
    return value;
  }
  async parseAsync(value) {
    return value;
  }
}

// Refinements keep what is read here.
function itself() {
  return this;
}

for (const method of [
  "describe", "meta", "brand", "refine", "superRefine", "check", "min", "max", "length", "int", "positive",
  "nonnegative", "nonempty", "url", "uuid", "email", "regex", "datetime", "trim",
]) ZodType.prototype[method] = itself;

// A schema around another one.
class ZodWrapper extends ZodType {
  constructor(innerType) {
    super({ innerType });
  }
  unwrap() {
    return this._def.innerType;
  }
  removeDefault() {
    return this._def.innerType;
  }
}

class ZodOptional extends ZodWrapper {}
class ZodNullable extends ZodWrapper {}
class ZodDefault extends ZodWrapper {}
class ZodCatch extends ZodWrapper {}
class ZodReadonly extends ZodWrapper {}

ZodType.prototype.optional = function () {
  return new ZodOptional(this);
};
ZodType.prototype.nullable = function () {
  return new ZodNullable(this);
};
ZodType.prototype.nullish = function () {
  return new ZodOptional(new ZodNullable(this));
};
ZodType.prototype.default = function () {
  return new ZodDefault(this);
};
ZodType.prototype.catch = function () {
  return new ZodCatch(this);
};
ZodType.prototype.readonly = function () {
  return new ZodReadonly(this);
};

class ZodLiteral extends ZodType {
  constructor(value) {
    super({ value });
    this.value = value;
    this.values = new Set(Array.isArray(value) ? value : [value]);
  }
}

class ZodEnum extends ZodType {
  constructor(values) {
    super({ values });
    const list = Array.isArray(values) ? values : Object.values(values);
    this.options = list;
    this.enum = Array.isArray(values) ? Object.fromEntries(list.map((value) => [value, value])) : values;
    this.Enum = this.enum;
    this.Values = this.enum;
  }
  extract(values) {
    return new ZodEnum(values);
  }
  exclude(values) {
    return new ZodEnum(this.options.filter((option) => !values.includes(option)));
  }
}

class ZodUnion extends ZodType {
  constructor(options) {
    super({ options });
    this.options = options;
  }
}

class ZodArray extends ZodType {
  constructor(element) {
    super({ element });
    this.element = element;
  }
}

class ZodObject extends ZodType {
  constructor(shape) {
    super({ shape });
    this.shape = shape;
  }
  extend(more) {
    return new ZodObject({ ...this.shape, ...more });
  }
  safeExtend(more) {
    return new ZodObject({ ...this.shape, ...more });
  }
  augment(more) {
    return new ZodObject({ ...this.shape, ...more });
  }
  merge(other) {
    return new ZodObject({ ...this.shape, ...other.shape });
  }
  pick(keys) {
    return new ZodObject(Object.fromEntries(Object.entries(this.shape).filter(([key]) => keys[key])));
  }
  omit(keys) {
    return new ZodObject(Object.fromEntries(Object.entries(this.shape).filter(([key]) => !keys[key])));
  }
  keyof() {
    return new ZodEnum(Object.keys(this.shape));
  }
}

for (const method of [
  "partial", "deepPartial", "required", "strict", "strip", "passthrough", "loose", "catchall",
]) ZodObject.prototype[method] = itself;

export function literal(value) {
  return new ZodLiteral(value);
}

function enumeration(values) {
  return new ZodEnum(values);
}

export { enumeration as enum };

export function nativeEnum(values) {
  return new ZodEnum(values);
}

export function object(shape = {}) {
  return new ZodObject(shape);
}

export function strictObject(shape = {}) {
  return new ZodObject(shape);
}

export function looseObject(shape = {}) {
  return new ZodObject(shape);
}

export function union(options) {
  return new ZodUnion(options);
}

export function discriminatedUnion(key, options) {
  return new ZodUnion(options);
}

export function array(element) {
  return new ZodArray(element);
}

export * as z from "zod";
export {
  ZodType, ZodOptional, ZodNullable, ZodDefault, ZodCatch, ZodReadonly, ZodLiteral, ZodEnum, ZodUnion, ZodArray,
  ZodObject,
};
export { z as default } from "zod";
