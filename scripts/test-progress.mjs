// A jest reporter: while nothing else is printed for long, it says how far the run is.
const EVERY = 30_000;

const clock = (milliseconds) => {
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

export default class TestProgress {
  #timer;

  onRunStart({ numTotalTestSuites: files }) {
    const began = Date.now();
    let done = 0;
    let failed = 0;
    this.onTestResult = (_test, { numFailingTests, testExecError }) => {
      done += 1;
      failed += numFailingTests + (testExecError ? 1 : 0);
    };
    const say = () => {
      const took = Date.now() - began;
      // The longest come first, so the first say little of the others.
      const left = done < files / 10 ? '' : `, about ${clock((took / done) * (files - done))} left`;
      console.log(`${clock(took)}: ${done} of ${files} spec files, ${failed} failed${left}`);
    };
    this.#timer = setInterval(say, EVERY);
  }

  onTestResult() {}

  onRunComplete() {
    clearInterval(this.#timer);
  }
}
