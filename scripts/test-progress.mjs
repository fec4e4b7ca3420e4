// A jest reporter: while nothing else is printed for long, it says how far the run is.
import { run, secondsOf } from './test-durations.mjs';

const EVERY = 30_000;

const clock = (milliseconds) => {
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

export default class TestProgress {
  #timer;
  #began = 0;
  /** Seconds of the files that are done, by the table. */
  #seconds = 0;
  #files = 0;
  #done = 0;
  #failed = 0;

  onRunStart({ numTotalTestSuites: files }) {
    this.#began = Date.now();
    this.#files = files;
    this.#timer = setInterval(() => this.#say(), EVERY);
  }

  onTestResult({ path }, { numFailingTests, testExecError }) {
    this.#seconds += secondsOf(path);
    this.#done += 1;
    this.#failed += numFailingTests + (testExecError ? 1 : 0);
  }

  onRunComplete() {
    clearInterval(this.#timer);
  }

  #say() {
    const took = Date.now() - this.#began;
    // At first little is done but under way.
    const left =
      this.#seconds < run.seconds / 20 ? '' : `, about ${clock((took * run.seconds) / this.#seconds - took)} left`;
    console.log(`${clock(took)}: ${this.#done} of ${this.#files} spec files, ${this.#failed} failed${left}`);
  }
}
