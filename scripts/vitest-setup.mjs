import { startTestRun } from "./test-run.mjs";

/** A package's tests as a run of their own: vitest calls this before its workers start, and the result after them. */
export default function setup() {
  const end = startTestRun();
  return () => {
    end();
  };
}
