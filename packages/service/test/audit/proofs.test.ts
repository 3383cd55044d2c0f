import { expect, test } from "vitest";
import { leafOf } from "../../src/audit/digest.ts";
import { pathOf, rootOf, treeOf } from "../../src/audit/merkle.ts";
import { proveAbout } from "../../src/audit/proofs.ts";
import { auditMonthsWorld, pastMonth } from "../support/audit-months.ts";
import { aCaller, makeWorld, verifyAll } from "../support/world.ts";

const world = await makeWorld();
const { audit, platform, checkpointAll } = world;
const { admin, createMonth, moveTo, exportMonth, drop } = auditMonthsWorld(world);
const longAgo = new Date(0);

const proofs = (platformId: string, subjects: readonly string[], since: Date) =>
  proveAbout(world.ports, platformId, { subjects, since });

const append = (platformId: string, subject: string) =>
  audit.append(platformId, { ...aCaller, subject, outcome: "done" });

test("each entry about the subjects leads to the root that its checkpoint published", async () => {
  const platformId = await platform();
  const subjects = ["kyc_a", "x", "file_a", "x", "kyc_a", "x", "x", "kyc_a"];
  for (const subject of subjects) await append(platformId, subject);
  const published = await checkpointAll(platformId, 3);
  await append(platformId, "kyc_a");
  const { entries, checkpoints, since } = await proofs(platformId, ["kyc_a", "file_a"], longAgo);
  expect(since).toBeNull();
  expect(
    entries.map(({ entry, checkpoint, index, size }) => [entry.subject, checkpoint, index, size]),
  ).toEqual([
    ["kyc_a", 1, 0, 3],
    ["file_a", 1, 2, 3],
    ["kyc_a", 2, 1, 3],
    ["kyc_a", 3, 1, 2],
    ["kyc_a", null, null, null],
  ]);
  expect(checkpoints).toEqual(published.map(({ number, root }) => ({ number, root })));
  const leaves = (
    await admin("select * from audit_entries where platform_id = $1 order by txid, id", [platformId])
  ).map(({ id, actor, operation, subject, outcome, purpose, request_id, address, at, txid, count }) =>
    leafOf(platformId, {
      ...{
        id: BigInt(id),
        actor,
        operation,
        subject,
        outcome,
        purpose,
        address,
        at,
        txid: BigInt(txid),
        count,
      },
      requestId: request_id,
    }),
  );
  const first = treeOf(leaves.slice(0, 3));
  expect(rootOf(first).toString("hex")).toBe(published[0]?.root);
  expect(entries[1]).toMatchObject({
    leaf: leaves[2]?.toString("hex"),
    path: pathOf(first, 2).map((hash) => hash.toString("hex")),
  });
});

test("entries before the time, of another platform, and about others are left out", async () => {
  const [platformId, other] = [await platform(), await platform()];
  await append(platformId, "kyc_b");
  await append(other, "kyc_b");
  await append(platformId, "kyc_c");
  await checkpointAll(platformId);
  await checkpointAll(other);
  expect((await proofs(platformId, ["kyc_b"], longAgo)).entries).toHaveLength(1);
  const later = await proofs(platformId, ["kyc_b"], new Date(Date.now() + 3_600_000));
  expect(later).toEqual({ platformId, entries: [], checkpoints: [], since: null });
});

test("a checkpoint of the former version has no root: its entries are listed without a proof", async () => {
  const platformId = await platform();
  await append(platformId, "kyc_d");
  await checkpointAll(platformId);
  await append(platformId, "kyc_d");
  await checkpointAll(platformId);
  await admin("update audit_checkpoints set root = null where platform_id = $1 and number = 1", [platformId]);
  const { entries, checkpoints } = await proofs(platformId, ["kyc_d"], longAgo);
  expect(entries).toMatchObject([
    { checkpoint: 1, index: null, size: null, path: [] },
    { checkpoint: 2, index: 0, size: 1, path: [] },
  ]);
  expect(checkpoints.map(({ number }) => number)).toEqual([2]);
});

test("the chain covers the root, and a removed or another root is detected", async () => {
  const platformId = await platform();
  await append(platformId, "kyc_e");
  await checkpointAll(platformId);
  expect(await verifyAll(audit, platformId)).toMatchObject({ entries: 1, problems: [] });
  await admin("update audit_checkpoints set root = null where platform_id = $1", [platformId]);
  expect((await verifyAll(audit, platformId)).problems).toEqual(["Checkpoint 1 was changed."]);
});

test("a dropped month is named, if the subjects may have entries in it", async () => {
  const platformId = await platform();
  await createMonth(pastMonth());
  await append(platformId, "kyc_f");
  await moveTo(platformId, pastMonth());
  await append(platformId, "kyc_f");
  // One checkpoint covers both entries, and the later one remains.
  await checkpointAll(platformId);
  await exportMonth(platformId, pastMonth());
  expect(await drop(pastMonth())).toBeNull();
  const since = `${pastMonth(0)}-01T00:00:00.000Z`;
  const cut = await proofs(platformId, ["kyc_f"], longAgo);
  expect(cut).toMatchObject({ since, checkpoints: [], entries: [{ checkpoint: 1, index: null }] });
  expect(await proofs(platformId, ["kyc_f"], new Date(since))).toMatchObject({ since: null });
});
