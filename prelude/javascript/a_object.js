// Objects, functions and symbols.

const globalThis = {};
const Symbol = Object_symbol();

function Object_symbol() {
  const symbol = (name) => intrinsic.symbol(name);
  symbol.iterator = "@@iterator";
  symbol.asyncIterator = "@@asyncIterator";
  symbol.toPrimitive = "@@toPrimitive";
  symbol.toStringTag = "@@toStringTag";
  symbol.hasInstance = "@@hasInstance";
  symbol.dispose = "@@dispose";
  symbol.asyncDispose = "@@asyncDispose";
  symbol.for = (name) => "@@for " + name;
  return symbol;
}

class Object {
  static ["@@call"](value) {
    return value ?? {};
  }
  static keys(object) {
    return intrinsic.keys(object);
  }
  static values(object) {
    const values = [];
    for (const pair of intrinsic.pairs(object)) values.push(pair[1]);
    return values;
  }
  static entries(object) {
    return intrinsic.pairs(object);
  }
  static assign(target, ...sources) {
    return intrinsic.assign(target, ...sources);
  }
  static freeze(object) {
    return intrinsic.freeze(object);
  }
  static seal(object) {
    return object;
  }
  static preventExtensions(object) {
    return object;
  }
  static isFrozen(object) {
    return intrinsic.is_frozen(object);
  }
  static isSealed(object) {
    return intrinsic.is_frozen(object);
  }
  static fromEntries(entries) {
    const object = {};
    for (const [key, value] of entries) object[key] = value;
    return object;
  }
  static create(prototype, descriptors) {
    const object = intrinsic.set_parent({}, prototype);
    if (descriptors) Object.defineProperties(object, descriptors);
    return object;
  }
  static getPrototypeOf(object) {
    return intrinsic.parent(object);
  }
  static setPrototypeOf(object, prototype) {
    return intrinsic.set_parent(object, prototype);
  }
  static getOwnPropertyNames(object) {
    if (Array.isArray(object)) return [...intrinsic.keys(object), "length"];
    return intrinsic.all_names(object);
  }
  static getOwnPropertySymbols() {
    return [];
  }
  static getOwnPropertyDescriptor(object, key) {
    if (!intrinsic.has_own(object, key)) return undefined;
    return { value: object[key], writable: true, enumerable: true, configurable: true };
  }
  static getOwnPropertyDescriptors(object) {
    const all = {};
    for (const key of intrinsic.keys(object)) all[key] = Object.getOwnPropertyDescriptor(object, key);
    return all;
  }
  static defineProperty(object, key, descriptor) {
    if (descriptor.get || descriptor.set) {
      if (descriptor.get) intrinsic.define_getter(object, key, descriptor.get);
      if (descriptor.set) intrinsic.define_setter(object, key, descriptor.set);
      if (!descriptor.enumerable) intrinsic.hide(object, key);
    } else {
      intrinsic.define(object, key, descriptor.value, !descriptor.enumerable);
    }
    return object;
  }
  static defineProperties(object, descriptors) {
    for (const [key, descriptor] of intrinsic.pairs(descriptors)) Object.defineProperty(object, key, descriptor);
    return object;
  }
  static hasOwn(object, key) {
    return intrinsic.has_own(object, key);
  }
  static is(a, b) {
    return a === b;
  }
  static groupBy(values, key) {
    const groups = {};
    for (const value of values) (groups[key(value)] ??= []).push(value);
    return groups;
  }
  hasOwnProperty(key) {
    return intrinsic.has_own(this, key);
  }
  propertyIsEnumerable(key) {
    return intrinsic.has_own(this, key);
  }
  isPrototypeOf(object) {
    let at = intrinsic.parent(object);
    while (at) {
      if (at === this) return true;
      at = intrinsic.parent(at);
    }
    return false;
  }
  valueOf() {
    return this;
  }
  toLocaleString() {
    return this.toString();
  }
}

class Function {
  call(self, ...args) {
    return intrinsic.apply(this, self, args);
  }
  apply(self, args) {
    return intrinsic.apply(this, self, args ?? []);
  }
  bind(self, ...first) {
    if (first.length === 0) return intrinsic.bound(this, self);
    const target = this;
    return (...rest) => intrinsic.apply(target, self, [...first, ...rest]);
  }
  toString() {
    return intrinsic.unknown("the source of a function");
  }
}

const Reflect = {
  ownKeys: (object) => intrinsic.all_names(object),
  get: (object, key) => intrinsic.member(object, key),
  set: (object, key, value) => {
    intrinsic.set_member(object, key, value);
    return true;
  },
  has: (object, key) => key in object,
  apply: (target, self, args) => intrinsic.apply(target, self, args),
  construct: (target, args) => intrinsic.construct(target, args),
  getPrototypeOf: (object) => intrinsic.parent(object),
  setPrototypeOf: (object, prototype) => {
    intrinsic.set_parent(object, prototype);
    return true;
  },
  defineProperty: (object, key, descriptor) => {
    Object.defineProperty(object, key, descriptor);
    return true;
  },
  deleteProperty: (object, key) => delete object[key],
  defineMetadata(key, value, target, property) {
    metadata_of(target, property).set(key, value);
  },
  getMetadata(key, target, property) {
    let at = target;
    while (at) {
      const found = metadata_of(at, property);
      if (found.has(key)) return found.get(key);
      at = intrinsic.parent(at);
    }
    return undefined;
  },
  hasMetadata(key, target, property) {
    return Reflect.getMetadata(key, target, property) !== undefined;
  },
  getOwnMetadata(key, target, property) {
    return metadata_of(target, property).get(key);
  },
  hasOwnMetadata(key, target, property) {
    return metadata_of(target, property).has(key);
  },
  metadata: (key, value) => (target, property) => Reflect.defineMetadata(key, value, target, property),
};

function metadata_of(target, property) {
  const all = metadata.get(target) ?? new Map();
  metadata.set(target, all);
  const found = all.get(property) ?? new Map();
  all.set(property, found);
  return found;
}

class Proxy {
  constructor(target, handler) {
    if (handler.get || handler.has || handler.ownKeys || handler.apply || handler.construct) {
      return proxied(target, handler);
    }
    return target;
  }
}

function proxied(target, handler) {
  if (handler.apply) return (...args) => handler.apply(target, undefined, args);
  return intrinsic.unknown("a proxy");
}

class Boolean {
  static ["@@call"](value) {
    return !!value;
  }
  toString() {
    return intrinsic.text(this);
  }
  valueOf() {
    return this;
  }
}
