// `node:events`: what is emitted reaches nobody.

export class EventEmitter {
  on() {
    return this;
  }
  once() {
    return this;
  }
  off() {
    return this;
  }
  addListener() {
    return this;
  }
  removeListener() {
    return this;
  }
  removeAllListeners() {
    return this;
  }
  emit() {
    return false;
  }
  setMaxListeners() {
    return this;
  }
  listenerCount() {
    return 0;
  }
}

export default EventEmitter;
