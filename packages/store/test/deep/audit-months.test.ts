import { createHash, randomUUID } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect, test } from "vitest";
import { auditMonthsWorld, pastMonth } from "../support/audit-months.ts";
import { aRequest, makeWorld, verifyAll } from "../support/world.ts";

/*
 * A month of a million entries is exported and dropped while submissions go on. The times of the submissions are printed,
 * not asserted: they depend on the machine.
 */
const count = 1_000_000;
const month = pastMonth();

test("a month of a million entries is exported and dropped while submissions go on", async () => {
  const world = await makeWorld({ maxConnections: 8 });
  const { admin, createMonth, drop } = auditMonthsWorld(world);
  const { audit, kyc, platform, checkpointAll } = world;
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

  let stopped = false;
  let times: number[] = [];
  const submit = async () => {
    while (!stopped) {
      const name = randomUUID();
      const start = performance.now();
      await kyc.createOrReplay(submitter, aRequest({ memberId: name, email: `${name}@example.com` }));
      times.push(performance.now() - start);
    }
  };
  const submitting = Promise.all([submit(), submit(), submit(), submit()]);
  const measured: Record<string, string> = {};
  const phase = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    times = [];
    const delay = monitorEventLoopDelay();
    delay.enable();
    const start = performance.now();
    const result = await work();
    const seconds = (performance.now() - start) / 1_000;
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
    measured[name] =
      `${seconds.toFixed(1)} s, ${sorted.length} submissions, p50 ${at(0.5)}, p99 ${at(0.99)}, max ${sorted.at(-1)?.toFixed(1)} ms, event loop max ${(delay.max / 1e6).toFixed(0)} ms`;
    return result;
  };
  const pause = () => new Promise((resolve) => setTimeout(resolve, 10_000));
  try {
    await phase("before", pause);
    const before = await phase("verification before", () => verifyAll(audit, platformId));
    expect(before).toMatchObject({ entries: count, anchor: null, problems: [] });
    const hash = createHash("sha256");
    let bytes = 0;
    const file = {
      append: async (text: string) => {
        bytes += Buffer.byteLength(text);
        hash.update(text);
      },
      finish: async () => hash.digest("hex"),
      discard: async () => {},
    };
    const exported = await phase("export", () =>
      audit.exportMonth(platformId, { month, actor: "person:ada" }, async () => file),
    );
    expect(exported).toMatchObject({ entries: count });
    measured.file = `${bytes} bytes`;
    expect(await phase("drop", () => drop(month))).toBeNull();
    await phase("after", pause);
    const after = await phase("verification after", () => verifyAll(audit, platformId));
    expect(after).toMatchObject({
      checkpoints: 0,
      entries: 0,
      anchor: before.last,
      problems: [],
      pending: 0,
    });
  } finally {
    stopped = true;
    await submitting;
  }
  await checkpointAll(submitter);
  expect(await verifyAll(audit, submitter)).toMatchObject({ problems: [], pending: 0 });
  process.stdout.write(`${JSON.stringify(measured, null, 2)}\n`);
}, 600_000);
