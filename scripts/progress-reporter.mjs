/** The interval of the progress lines, in milliseconds. */
const intervalMs = 15_000;

/** A vitest reporter that prints progress at intervals: a file of the deep tier can run for a minute. */
export default class ProgressReporter {
  #files = { ended: 0, all: 0 };
  #tests = { passed: 0, failed: 0, skipped: 0, pending: 0 };
  #timer;

  onTestRunStart(specifications) {
    const begun = performance.now();
    this.#files.all = specifications.length;
    this.#timer = setInterval(() => this.#print(Math.round((performance.now() - begun) / 1_000)), intervalMs);
  }

  onTestCaseResult(test) {
    this.#tests[test.result().state] += 1;
  }

  onTestModuleEnd() {
    this.#files.ended += 1;
  }

  onTestRunEnd() {
    clearInterval(this.#timer);
  }

  #print(seconds) {
    const { ended, all } = this.#files;
    const { passed, failed } = this.#tests;
    process.stdout.write(
      `${ended} of ${all} files, ${passed} tests passed, ${failed} failed, ${seconds} s\n`,
    );
  }
}
