import { bootstrap, install, pnpm } from "./bootstrap.mjs";

/* pnpm test:runtimes: tests the client on Bun, on Deno and in a worker, in addition to Node. */
bootstrap();
install({ folder: "packages/client/runtimes", what: "Bun, Deno and workerd, for this test only," });
pnpm(["exec", "turbo", "run", "build", "--ui=stream"], { quiet: true });
pnpm([
  "--filter",
  "@cardbridge/client",
  "exec",
  "vitest",
  "run",
  "--config",
  "vitest.deep.config.ts",
  "test/deep/runtimes.test.ts",
]);
