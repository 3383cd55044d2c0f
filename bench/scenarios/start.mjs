import { setTimeout as wait } from "node:timers/promises";
import { median } from "../lib/rounds.mjs";
import { figure, table } from "../lib/table.mjs";
import { createWorld } from "../lib/world.mjs";

const times = 10;

/** The time from the start of the process until /health/ready returns 200, on an existing database. */
export async function run({ full, say }) {
  const memberCount = full ? 100_000 : 1_000;
  await using world = await createWorld({ memberCount });
  const millis = [];
  for (let number = 1; number <= times; number += 1) {
    const begun = performance.now();
    const service = await world.service();
    while (!(await isReady(service.url))) await wait(2);
    millis.push(performance.now() - begun);
    await service.stop();
    say(`start ${number} of ${times}`);
  }
  const [longest, usual] = [Math.max(...millis), median(millis)];
  return `${times} starts of \`apps/api/dist/main.js\` in production configuration, on a database with ${figure(memberCount)} users, until \`/health/ready\` says yes.

${table(
  ["", "ms"],
  [
    ["median", figure(usual)],
    ["longest", figure(longest)],
  ],
)}

Every start under a second: ${longest < 1_000 ? "yes" : "no"}.`;
}

async function isReady(url) {
  return fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}
