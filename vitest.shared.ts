/**
 * What every package's tests have in common. Time limits only end what hangs: no test passes or fails by the
 * clock. The report is what `.ci/run` adds up.
 */
export const shared = {
  include: ["test/**/*.test.ts"],
  reporters: ["default", ["json", { outputFile: ".reports/vitest.json" }] as ["json", object]],
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
  maxWorkers: 2,
  // Files of one worker share the modules that they import, which was a sixth of all the time: none mocks one.
  isolate: false,
};
