// Lists.

class Array {
  constructor(...values) {
    intrinsic.become(this, "list");
    if (values.length === 1 && typeof values[0] === "number") this.length_of(values[0]);
    else for (const value of values) intrinsic.push(this, value);
  }
  length_of(count) {
    for (let index = 0; index < count; index++) intrinsic.push(this, undefined);
  }
  static ["@@call"](...values) {
    if (values.length === 1 && typeof values[0] === "number") {
      const list = [];
      for (let index = 0; index < values[0]; index++) list.push(undefined);
      return list;
    }
    return values;
  }
  static isArray(value) {
    const kind = intrinsic.kind(value);
    if (kind === "unknown" || kind === "outside" || kind === "choice") return intrinsic.unknown("whether something is a list");
    return kind === "list";
  }
  static of(...values) {
    return values;
  }
  static from(source, change) {
    const list = [];
    let index = 0;
    const kind = intrinsic.kind(source);
    if (kind === "object" && source["@@iterator"] === undefined && source.length !== undefined) {
      for (; index < source.length; index++) list.push(change ? change(source[index], index) : source[index]);
      return list;
    }
    for (const value of source) list.push(change ? change(value, index++) : value);
    return list;
  }
  static async fromAsync(source, change) {
    const list = [];
    for await (const value of source) list.push(change ? await change(await value) : await value);
    return list;
  }
  push(...values) {
    for (const value of values) intrinsic.push(this, value);
    return this.length;
  }
  pop() {
    return intrinsic.remove_at(this, -1);
  }
  shift() {
    return intrinsic.remove_at(this, 0);
  }
  unshift(...values) {
    intrinsic.insert(this, 0, ...values);
    return this.length;
  }
  splice(start, count, ...values) {
    const removed = [];
    const length = this.length;
    let from = start < 0 ? length + start : start;
    if (from < 0) from = 0;
    if (from > length) from = length;
    let rest = count === undefined ? length - from : count;
    while (rest-- > 0 && from < this.length) removed.push(intrinsic.remove_at(this, from));
    intrinsic.insert(this, from, ...values);
    return removed;
  }
  toSpliced(start, count, ...values) {
    const list = [...this];
    list.splice(start, count, ...values);
    return list;
  }
  slice(from, to) {
    return intrinsic.slice(this, from, to);
  }
  concat(...others) {
    const list = [...this];
    for (const other of others) {
      if (Array.isArray(other)) for (const value of other) list.push(value);
      else list.push(other);
    }
    return list;
  }
  map(change, self) {
    const list = [];
    let index = 0;
    for (const value of this) list.push(intrinsic.apply(change, self, [value, index++, this]));
    return list;
  }
  filter(keeps, self) {
    const list = [];
    let index = 0;
    for (const value of this) if (intrinsic.apply(keeps, self, [value, index++, this])) list.push(value);
    return list;
  }
  flatMap(change, self) {
    const list = [];
    let index = 0;
    for (const value of this) {
      const made = intrinsic.apply(change, self, [value, index++, this]);
      if (Array.isArray(made)) for (const one of made) list.push(one);
      else list.push(made);
    }
    return list;
  }
  flat(depth = 1) {
    const list = [];
    for (const value of this) {
      if (Array.isArray(value) && depth > 0) for (const one of value.flat(depth - 1)) list.push(one);
      else list.push(value);
    }
    return list;
  }
  forEach(run, self) {
    let index = 0;
    for (const value of this) intrinsic.apply(run, self, [value, index++, this]);
  }
  reduce(step, ...first) {
    let started = first.length > 0;
    let result = first[0];
    let index = 0;
    for (const value of this) {
      if (started) result = step(result, value, index, this);
      else {
        result = value;
        started = true;
      }
      index++;
    }
    return result;
  }
  reduceRight(step, ...first) {
    const list = intrinsic.reversed(this);
    let index = list.length;
    return list.reduce((result, value) => step(result, value, --index, this), ...first);
  }
  find(holds) {
    let index = 0;
    for (const value of this) if (holds(value, index++, this)) return value;
    return undefined;
  }
  findLast(holds) {
    return intrinsic.reversed(this).find(holds);
  }
  findIndex(holds) {
    let index = 0;
    for (const value of this) {
      if (holds(value, index, this)) return index;
      index++;
    }
    return -1;
  }
  findLastIndex(holds) {
    let found = -1;
    let index = 0;
    for (const value of this) {
      if (holds(value, index, this)) found = index;
      index++;
    }
    return found;
  }
  some(holds) {
    let index = 0;
    for (const value of this) if (holds(value, index++, this)) return true;
    return false;
  }
  every(holds) {
    let index = 0;
    for (const value of this) if (!holds(value, index++, this)) return false;
    return true;
  }
  includes(wanted) {
    for (const value of this) if (value === wanted) return true;
    return false;
  }
  indexOf(wanted) {
    let index = 0;
    for (const value of this) {
      if (value === wanted) return index;
      index++;
    }
    return -1;
  }
  lastIndexOf(wanted) {
    let found = -1;
    let index = 0;
    for (const value of this) {
      if (value === wanted) found = index;
      index++;
    }
    return found;
  }
  join(separator = ",") {
    return intrinsic.join(this, separator);
  }
  reverse() {
    return intrinsic.replace_all(this, intrinsic.reversed(this));
  }
  toReversed() {
    return intrinsic.reversed(this);
  }
  sort(compare) {
    return intrinsic.replace_all(this, intrinsic.sorted(this, compare, true));
  }
  toSorted(compare) {
    return intrinsic.sorted(this, compare, true);
  }
  with(index, value) {
    const list = [...this];
    list[index < 0 ? list.length + index : index] = value;
    return list;
  }
  fill(value, from = 0, to = this.length) {
    for (let index = from; index < to; index++) this[index] = value;
    return this;
  }
  copyWithin() {
    return intrinsic.unknown("copyWithin");
  }
  at(index) {
    return this[index < 0 ? this.length + index : index];
  }
  keys() {
    return intrinsic.generator(this.map((_, index) => index));
  }
  values() {
    return intrinsic.generator(this);
  }
  entries() {
    return intrinsic.generator(this.map((value, index) => [index, value]));
  }
  ["@@iterator"]() {
    return intrinsic.generator(this);
  }
  toString() {
    return intrinsic.join(this, ",");
  }
}
