// Gives each test and hook four times the time that its author gave it. Such a limit only ends what hangs. What a test says
// about time, it must measure.
import { TestEnvironment } from 'jest-environment-node';

const PATIENCE = 4;

export default class PatientEnvironment extends TestEnvironment {
  /** A hook runs once for each test of its block. */
  #patient = new WeakSet();

  handleTestEvent({ name, test, hook }) {
    const limited = name === 'test_start' ? test : name === 'hook_start' ? hook : undefined;
    if (limited?.timeout === undefined || this.#patient.has(limited)) return;
    this.#patient.add(limited);
    limited.timeout *= PATIENCE;
  }
}
