// Maps, sets and iterators.

class Map {
  constructor(entries) {
    intrinsic.become(this, "table");
    if (entries != null) for (const [key, value] of entries) this.set(key, value);
  }
  get(key) {
    return intrinsic.get(this, key);
  }
  set(key, value) {
    intrinsic.put(this, key, value);
    return this;
  }
  has(key) {
    return intrinsic.has(this, key);
  }
  delete(key) {
    return intrinsic.remove(this, key);
  }
  clear() {
    intrinsic.clear(this);
  }
  forEach(run, self) {
    for (const [key, value] of this) intrinsic.apply(run, self, [value, key, this]);
  }
  keys() {
    const keys = [];
    for (const pair of intrinsic.entries(this)) keys.push(pair[0]);
    return intrinsic.generator(keys);
  }
  values() {
    const values = [];
    for (const pair of intrinsic.entries(this)) values.push(pair[1]);
    return intrinsic.generator(values);
  }
  entries() {
    return intrinsic.generator(intrinsic.entries(this));
  }
  ["@@iterator"]() {
    return intrinsic.generator(intrinsic.entries(this));
  }
  static groupBy(values, key) {
    const groups = new Map();
    for (const value of values) {
      const at = key(value);
      if (!groups.has(at)) groups.set(at, []);
      groups.get(at).push(value);
    }
    return groups;
  }
}

class WeakMap extends Map {}

class Set {
  constructor(values) {
    intrinsic.become(this, "set");
    if (values != null) for (const value of values) this.add(value);
  }
  add(value) {
    intrinsic.add(this, value);
    return this;
  }
  has(value) {
    return intrinsic.has(this, value);
  }
  delete(value) {
    return intrinsic.remove(this, value);
  }
  clear() {
    intrinsic.clear(this);
  }
  forEach(run, self) {
    for (const value of this) intrinsic.apply(run, self, [value, value, this]);
  }
  keys() {
    return intrinsic.generator(this);
  }
  values() {
    return intrinsic.generator(this);
  }
  entries() {
    const pairs = [];
    for (const value of this) pairs.push([value, value]);
    return intrinsic.generator(pairs);
  }
  ["@@iterator"]() {
    return intrinsic.generator(this);
  }
  union(other) {
    return new Set([...this, ...other]);
  }
  intersection(other) {
    return new Set([...this].filter((value) => other.has(value)));
  }
  difference(other) {
    return new Set([...this].filter((value) => !other.has(value)));
  }
  symmetricDifference(other) {
    return new Set([...this.difference(other), ...other.difference(this)]);
  }
  isSubsetOf(other) {
    return [...this].every((value) => other.has(value));
  }
  isSupersetOf(other) {
    return [...other].every((value) => this.has(value));
  }
  isDisjointFrom(other) {
    return ![...this].some((value) => other.has(value));
  }
}

class WeakSet extends Set {}

const metadata = new Map();

class Iterator {
  next() {
    const found = intrinsic.next(this);
    return found === undefined ? { value: intrinsic.own(this, "@@returned"), done: true } : { value: found[0], done: false };
  }
  return(value) {
    return { value, done: true };
  }
  ["@@iterator"]() {
    return this;
  }
  map(change) {
    return intrinsic.generator([...this].map((value, index) => change(value, index)));
  }
  filter(keeps) {
    return intrinsic.generator([...this].filter((value, index) => keeps(value, index)));
  }
  flatMap(change) {
    return intrinsic.generator([...this].flatMap((value) => [...change(value)]));
  }
  take(count) {
    return intrinsic.generator([...this].slice(0, count));
  }
  drop(count) {
    return intrinsic.generator([...this].slice(count));
  }
  toArray() {
    return [...this];
  }
  forEach(run) {
    for (const value of this) run(value);
  }
  reduce(step, ...first) {
    return [...this].reduce(step, ...first);
  }
  some(holds) {
    return [...this].some(holds);
  }
  every(holds) {
    return [...this].every(holds);
  }
  find(holds) {
    return [...this].find(holds);
  }
}
