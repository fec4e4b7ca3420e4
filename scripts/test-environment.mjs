// Gives each test and hook four times the time that its author gave it, and more on a slow machine. Such a limit only ends what
// hangs. What a test says about time, it must measure.
import { TestEnvironment } from 'jest-environment-node';
import { AsyncLocalStorage } from 'node:async_hooks';

const TIMEOUT_FACTOR = 4 * Number(process.env.TEST_SLOWNESS ?? 1);

// Before Node 24 a storage that ran once does work at every promise of its process, so also at those of later specs.
const storages = new Set();
for (const name of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...args) {
    storages.add(this);
    return original.apply(this, args);
  };
}

export default class ScaledTimeoutEnvironment extends TestEnvironment {
  /** A hook runs once for each test of its block. */
  #scaled = new WeakSet();

  handleTestEvent({ name, test, hook }) {
    const limited = name === 'test_start' ? test : name === 'hook_start' ? hook : undefined;
    if (limited?.timeout === undefined || this.#scaled.has(limited)) return;
    this.#scaled.add(limited);
    limited.timeout *= TIMEOUT_FACTOR;
  }

  async teardown() {
    for (const storage of storages) storage.disable();
    storages.clear();
    await super.teardown();
  }
}
