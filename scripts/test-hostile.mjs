import { runSeededTest } from "./seeded-test.mjs";

/* pnpm test:hostile: sends hostile requests and checks every response. */
runSeededTest({
  command: "hostile",
  count: "requests",
  help: "send this many generated requests",
  cases: 200_000,
  file: "test/deep/hostile/hostile.test.ts",
});
