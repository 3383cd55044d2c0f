import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { auditMonthsWorld, pastMonth } from "../support/audit-months.ts";
import { aSubmission, makeWorld, verifyAll } from "../support/world.ts";

/*
 * A month of entries is exported and dropped while another process submits. The times of the submissions are printed, not
 * asserted: they depend on the machine. AUDIT_ENTRIES=1000000 measures a large month.
 */
const count = Number(process.env.AUDIT_ENTRIES ?? 50_000);
const month = pastMonth();

test("a month of entries is exported and dropped while submissions go on", async () => {
  const world = await makeWorld({ until: onTestFinished });
  const { admin, createMonth, drop } = auditMonthsWorld(world);
  const { audit, platform, checkpointAll, urls } = world;
  const platformId = await platform();
  const submitter = await platform();
  await createMonth(month);
  await admin(
    `insert into audit_entries (platform_id, actor, operation, subject, outcome, request_id, address, at)
     select $1, 'key_01jexample0000000000000000', 'kyc.get', 'kyc_01jexample0000000000' || n, 'done',
            'req_01jexample0000000000' || n, '192.0.2.1', $2::timestamptz + n * interval '1 second'
     from generate_series(1, ${count}) as n`,
    [platformId, `${month}-02Z`],
  );
  await checkpointAll(platformId);

  const script = fileURLToPath(new URL("./submit-steadily.ts", import.meta.url));
  const env = { ...process.env, SUBMISSION: JSON.stringify(aSubmission()) };
  const submitterUrl = `${urls.serviceUrl}&application_name=submitter`;
  const submitting = fork(script, [submitterUrl, submitter], { env, execArgv: [] });
  const ended = once(submitting, "exit");
  const timesSince = async (): Promise<number[]> => {
    submitting.send("times");
    const [times] = await once(submitting, "message");
    return times;
  };
  let submitted = 0;
  const phase = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    await timesSince();
    const start = performance.now();
    const result = await work();
    const seconds = (performance.now() - start) / 1_000;
    const times = (await timesSince()).toSorted((a, b) => a - b);
    submitted += times.length;
    const [p50, p99, max] = [0.5, 0.99, 1].map((share) =>
      times[Math.min(times.length - 1, Math.floor(times.length * share))]?.toFixed(1),
    );
    process.stdout.write(
      `${name}: ${seconds.toFixed(1)} s; ${times.length} submissions, p50 ${p50} ms, p99 ${p99} ms, max ${max} ms\n`,
    );
    return result;
  };

  await phase("start", () => wait(2_000));
  await phase("before", () => wait(2_000));
  const before = await phase("verification before", () => verifyAll(audit, platformId));
  expect(before).toMatchObject({ entries: count, anchor: null, problems: [] });
  const hash = createHash("sha256");
  const file = {
    append: async (text: string) => void hash.update(text),
    finish: async () => hash.digest("hex"),
    discard: async () => {},
  };
  const by = { month, actor: "claim:ada" };
  const exported = await phase("export", () => audit.exportMonth(platformId, by, async () => file));
  expect(exported).toMatchObject({ entries: count });
  expect(await phase("drop", () => drop(month))).toBeNull();
  await phase("after", () => wait(2_000));
  const after = await phase("verification after", () => verifyAll(audit, platformId));
  expect(after).toMatchObject({ checkpoints: 0, entries: 0, anchor: before.last, problems: [], pending: 0 });
  expect(submitted).toBeGreaterThan(0);
  submitting.kill();
  await ended;
  // The server ends the statements of a killed process later.
  const sessions = "select from pg_stat_activity where application_name = 'submitter'";
  await expect.poll(() => admin(sessions)).toEqual([]);
  await checkpointAll(submitter);
  expect(await verifyAll(audit, submitter)).toMatchObject({ problems: [], pending: 0 });
});
