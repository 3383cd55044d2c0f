import { bootstrap, install, pnpm } from "./bootstrap.mjs";

/* pnpm bench: what a request costs, side by side; its options are those of bench/run.mjs. */
const peers = "bench/peers";

bootstrap();
install({ folder: peers, what: "Fastify, Express and NestJS, for the benchmarks only," });
pnpm(["exec", "turbo", "run", "build", "--ui=stream"], { quiet: true });
pnpm(["--dir", peers, "run", "build"], { quiet: true });
pnpm(["--filter", "@cardbridge/bench", "exec", "node", "run.mjs", ...process.argv.slice(2)]);
