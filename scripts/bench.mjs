import { bootstrap, install, pnpm } from "./bootstrap.mjs";

/* pnpm bench: compares the cost of requests. bench/run.mjs defines its options. */

bootstrap();
install({ folder: "bench/peer", what: "Fastify, for the benchmarks only," });
pnpm(["exec", "turbo", "run", "build", "--ui=stream"], { quiet: true });
pnpm(["--filter", "@cardbridge/bench", "exec", "node", "run.mjs", ...process.argv.slice(2)]);
