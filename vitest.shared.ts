import { fileURLToPath } from "node:url";

const script = (name: string) => fileURLToPath(new URL(`scripts/${name}`, import.meta.url));
const testRun = script("vitest-setup.mjs");

/** What both tiers have in common. Time limits only end what hangs: no test passes or fails by the clock. */
const common = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
  // Files of one worker share the modules that they import, which was a sixth of all the time: none mocks one.
  isolate: false,
};

/** The report of a tier is what `.ci/run` adds up. */
const reportTo = (outputFile: string) => ["default", ["json", { outputFile }] as ["json", object]];

/** The first tier, `npm test`: everything that the code alone decides. */
export const fast = {
  ...common,
  // turbo runs several packages at once; a second worker imports the same modules again.
  maxWorkers: 1,
  include: ["test/**/*.test.ts"],
  exclude: ["test/deep/**"],
  globalSetup: [testRun],
  reporters: reportTo(".reports/fast.json"),
};

/** The deep tier, `npm run test:deep`: processes, sockets, browsers and other programs. */
export const deep = {
  ...common,
  maxWorkers: 2,
  include: ["test/deep/**/*.test.ts"],
  globalSetup: [testRun],
  reporters: [...reportTo(".reports/deep.json"), script("progress-reporter.mjs")],
};
