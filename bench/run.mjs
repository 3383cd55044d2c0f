import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { assertAgreement } from "./lib/agreement.mjs";
import { credentials } from "./lib/contract.mjs";
import { analyze, ownerUrlOf } from "./lib/database.mjs";
import { start } from "./lib/process.mjs";
import { compare } from "./lib/rounds.mjs";
import { submissions } from "./lib/submissions.mjs";
import { table } from "./lib/table.mjs";

/* pnpm bench: every contestant does the same work in a process of its own, in alternating rounds. */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    amount: { type: "string", default: "4000" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(`pnpm bench [options]

  --rounds N   rounds of each contestant, of which the median counts (5)
  --amount N   requests of a round (4000)
`);
  process.exit(0);
}
let databaseUrl = "";
const options = {
  rounds: Number(values.rounds),
  amount: Number(values.amount),
  settle: () => analyze(databaseUrl),
};
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const key = "cb_test_DemoPlatformOne0000000003IZXaY";
const folder = mkdtempSync(join(tmpdir(), "cardbridge-bench-"));
const running = [];

async function run(file, env, listening) {
  const process = await start(at(file), env, listening);
  running.push(process);
  return process;
}

const authorization = { authorization: `Bearer ${key}` };
const get = (path) => (url) => ({ url: url + path, headers: authorization });
const post = (path) => (url) => ({
  url: url + path,
  method: "POST",
  headers: { ...authorization, "content-type": "application/json" },
  setupClient: submissions(),
});

/** How a contestant's body holds the interface's data; one without `data` answers less than that. */
const plain = { data: (body) => body };
const trpc = { data: (body) => body.result.data };

async function measure(contestants, options) {
  await assertAgreement(contestants, "cardbridge, REST");
  return compare(contestants, options);
}

try {
  const provider = await run("stub-provider.mjs", {});
  const env = { PROVIDER_URL: provider.url, ...credentials };
  const cardbridge = await run(
    "../apps/api/dist/main.js",
    { ...env, PORT: "0", METRICS_PORT: "0", DATA_DIR: folder, LOG_LEVEL: "info" },
    /Address +(\S+)/,
  );
  databaseUrl = ownerUrlOf(join(folder, "postgres"));
  const wire = await run("contestants/wire.mjs", env);
  const theirs = { ...env, BENCH_DATABASE_URL: databaseUrl, BENCH_KEY: key, NODE_ENV: "production" };
  const floor = await run("contestants/floor.mjs", theirs);
  const peers = [
    { name: "Fastify", process: await run("peers/dist/fastify/main.js", theirs), ...plain },
    { name: "Express", process: await run("peers/dist/express/main.js", theirs), ...plain },
    { name: "NestJS", process: await run("peers/dist/nest/main.js", theirs), ...plain },
  ];

  const list = "/openapi/v1/cards/list?memberId=bob&pageSize=20";
  const submission = "/openapi/v1/users/kyc";
  const query = `/trpc/cards.list?input=${encodeURIComponent('{"memberId":"bob","pageSize":20}')}`;
  const lists = await measure(
    [
      { name: "wire", process: wire, request: get("/") },
      { name: "floor", process: floor, request: get("/"), ...plain },
      { name: "cardbridge, REST", process: cardbridge, request: get(list), ...plain },
      { name: "cardbridge, tRPC", process: cardbridge, request: get(query), ...trpc },
      ...peers.map((peer) => ({ ...peer, request: get(list) })),
    ],
    options,
  );
  const kycs = await measure(
    [
      { name: "floor", process: floor, request: post("/") },
      { name: "cardbridge, REST", process: cardbridge, request: post(submission), ...plain },
      { name: "cardbridge, tRPC", process: cardbridge, request: post("/trpc/kyc.submit"), ...trpc },
      ...peers.map((peer) => ({ ...peer, request: post(submission) })),
    ],
    { ...options, amount: options.amount / 2 },
  );
  const machine = `${cpus().length} × ${cpus()[0].model}, Node ${process.versions.node}`;
  process.stdout.write(
    `${machine}\n\nA list of 20 cards\n\n${table(lists)}\n\nA submission\n\n${table(kycs)}\n`,
  );
} finally {
  for (const one of running.reverse()) one.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
}
