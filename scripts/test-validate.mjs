import { runSeededTest } from "./seeded-test.mjs";

/* pnpm test:validate: compares validations with submissions. */
runSeededTest({
  command: "validate",
  count: "cases",
  help: "compare this many generated bodies",
  cases: 100_000,
  file: "test/validation/differential.test.ts",
});
