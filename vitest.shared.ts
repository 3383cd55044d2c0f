import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

type ProjectOptions = NonNullable<TestProjectInlineConfiguration["test"]>;

const script = (name: string) => fileURLToPath(new URL(`scripts/${name}`, import.meta.url));

/** What all tiers have in common. Time limits only end what hangs: no test passes or fails by the clock. */
const common = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
  // Files of one worker share the modules that they import, which was a sixth of all the time: none mocks one.
  isolate: false,
} satisfies ProjectOptions;

/** The first tier, `npm test`: everything that the code alone decides. */
const fast = {
  include: ["test/**/*.test.ts"],
  exclude: ["test/{deep,nightly}/**"],
  // turbo runs several packages at once; a second worker imports the same modules again.
  maxWorkers: 1,
} satisfies ProjectOptions;

/** The deep tier, `npm run test:deep`: processes, sockets, browsers and other programs. */
const deep = { include: ["test/deep/**/*.test.ts"], maxWorkers: 2 } satisfies ProjectOptions;

/** The nightly tier, `npm run test:nightly`: the same guarantees at a size that takes hours. */
const nightly = {
  include: ["test/nightly/**/*.test.ts"],
  maxWorkers: 1,
  testTimeout: 24 * 3_600_000,
} satisfies ProjectOptions;

/**
 * The vitest configuration of a package: a project for each tier. The scripts' `--outputFile` is the report that `.ci/run`
 * adds up.
 *
 * @param setup modules that run before the workers of every tier
 * @param own what a tier of this package sets itself
 */
export function tiers(
  setup: readonly string[] = [],
  own: { fast?: ProjectOptions; deep?: ProjectOptions; nightly?: ProjectOptions } = {},
) {
  const project = (name: "fast" | "deep" | "nightly", tier: ProjectOptions) => {
    const { globalSetup = [], ...options } = own[name] ?? {};
    const modules = [script("vitest-setup.mjs"), ...setup, globalSetup].flat();
    return { test: { ...common, ...tier, ...options, name, globalSetup: modules } };
  };
  return defineConfig({
    test: {
      reporters: ["default", "json", script("progress-reporter.mjs")],
      // Of a run without the script's own report, which the sum must not contain.
      outputFile: ".reports/last.json",
      projects: [project("fast", fast), project("deep", deep), project("nightly", nightly)],
    },
  });
}
