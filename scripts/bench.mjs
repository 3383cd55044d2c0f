import { bootstrap, install, pnpm } from "./bootstrap.mjs";

/* pnpm bench: what a request costs, side by side; its options are those of bench/run.mjs. */

bootstrap();
install({ folder: "bench/peer", what: "Fastify, for the benchmarks only," });
pnpm(["exec", "turbo", "run", "build", "--ui=stream"], { quiet: true });
pnpm(["--filter", "@cardbridge/bench", "exec", "node", "run.mjs", ...process.argv.slice(2)]);
