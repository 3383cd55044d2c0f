import { randomUUID } from "node:crypto";
import { defaultPolicies, internalPlatformId } from "@cardbridge/domain";
import { afterEach, describe, expect, test } from "vitest";
import { kycRecordsRepository, readCurrentPauses } from "../../src/database.ts";
import { listPauses } from "../../src/pauses/list.ts";
import { resumePause } from "../../src/pauses/resume.ts";
import { pausePlatform, pauseProvider } from "../../src/pauses/start.ts";
import { codeOf, personCall, rulesOf } from "../support/calls.ts";
import { keys, makeWorld, someone } from "../support/world.ts";

const { admin, audit, database, person, platform, ports, set, submitted } = await makeWorld();
const ada = { personId: await person({ name: "Ada" }), name: "Ada" };
const byAda = personCall(["ops.pauses", "ops.records.read"], { personId: ada.personId });

// A pause of the provider concerns every test.
afterEach(() => admin("delete from pauses where platform_id = 'internal'"));

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const dayMs = 86_400_000;
const aPause = () => ({ reason: "Maintenance", until: inMs(3_600_000) });

/** Starts a pause of a platform, or of the provider. */
async function start(platformId: string | null, changes: object = {}, call = byAda) {
  const input = { ...aPause(), ...changes };
  const started =
    platformId === null
      ? pauseProvider(defaultPolicies).execute(ports, call, input)
      : pausePlatform(defaultPolicies).execute(ports, call, { ...input, platformId });
  return (await started).data;
}
const resume = async (pauseId: string, call = byAda) =>
  (await resumePause.execute(ports, call, { pauseId })).data;
const list = async (platforms: readonly string[] | "all", filter: object = {}) =>
  (await listPauses.execute(ports, personCall(["ops.records.read"], { platforms }), filter)).data.pauses;

/** Moves a pause into the past. */
const backdate = (pauseId: string, interval: string) =>
  admin(
    `update pauses set paused_at = paused_at - $2::interval, until = until - $2::interval,
       ended_at = ended_at - $2::interval where id = $1`,
    [pauseId, interval],
  );
const currentOf = async (platformId: string | null) =>
  (await readCurrentPauses(database)).filter((pause) => pause.platformId === platformId);
const entriesOf = (platformId: string) =>
  audit.list([platformId], { limit: 50 }).then(({ entries }) => entries);

describe("a pause", () => {
  test("of a platform is active until it is resumed, and both are audited at the platform", async () => {
    const platformId = await platform();
    const until = inMs(3_600_000);
    const pausedBy = `${ada.personId}/key_1`;
    const started = await start(platformId, { until });
    const { pauseId } = started;
    expect(started).toMatchObject({
      ...{ target: "platform", platformId, platformName: "A platform", state: "active" },
      ...{ person: ada, pausedBy, until, resumedBy: null },
    });
    const [active] = await currentOf(platformId);
    expect(active).toMatchObject({ pauseId, reason: "Maintenance", endsAt: new Date(until) });
    expect(active?.endsInMs).toBeGreaterThan(3_000_000);

    expect(await resume(pauseId)).toMatchObject({ state: "ended", resumedBy: pausedBy, until });
    expect(await currentOf(platformId)).toEqual([]);
    expect(await entriesOf(platformId)).toMatchObject([
      { operation: "pauses.resume", subject: pauseId, outcome: "done" },
      { operation: "pauses.pausePlatform", subject: pauseId, outcome: "done" },
    ]);
  });

  test("of the provider is audited at the internal apps' platform, and is no platform's", async () => {
    const started = await start(null);
    expect(started).toMatchObject({ target: "provider", platformId: null, platformName: null });
    const entry = { operation: "pauses.pauseProvider", subject: started.pauseId };
    expect((await entriesOf(internalPlatformId))[0]).toMatchObject(entry);
    await resume(started.pauseId);
    expect(await currentOf(null)).toEqual([]);
  });

  test("is refused while another one of its target is active, also at the same time", async () => {
    const platformId = await platform();
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(start(platformId))));
    expect(codes.sort()).toEqual(["PAUSE_CONFLICT", "PAUSE_CONFLICT", "done"]);
    expect(await entriesOf(platformId)).toHaveLength(1);
  });

  test("ends by itself, and then prevents no other one", async () => {
    const platformId = await platform();
    const { pauseId } = await start(platformId);
    await backdate(pauseId, "1 hour 1 minute");
    expect(await currentOf(platformId)).toEqual([]);
    expect(await codeOf(resume(pauseId))).toBe("PAUSE_CONFLICT");
    expect(await start(platformId)).toMatchObject({ state: "active" });
    const listed = await list([platformId], { limit: 2 });
    expect(listed.map(({ state }) => state)).toEqual(["active", "ended"]);
    expect(listed[1]).toMatchObject({ resumedBy: null, resumedAt: null });
  });

  test("of an unknown platform, and a resume of an unknown pause, are refused", async () => {
    expect(await codeOf(start("plt_nobody"))).toBe("PLATFORM_NOT_FOUND");
    expect(await codeOf(resume(`pause_${randomUUID()}`))).toBe("PAUSE_NOT_FOUND");
  });

  test("of the internal apps is refused", async () => {
    expect(await rulesOf(start(internalPlatformId))).toEqual(["pausable-platform"]);
  });

  test.each([
    { name: "in the past", ms: -1, rules: ["ends-later"] },
    { name: "after more than 30 days", ms: 30 * dayMs + 60_000, rules: ["pause-length"] },
    { name: "after 30 days", ms: 30 * dayMs, rules: [] },
  ])("that ends $name violates $rules", async ({ ms, rules }) => {
    expect(await rulesOf(start(null, { until: inMs(ms) }))).toEqual(rules);
    expect(await currentOf(null)).toHaveLength(rules.length === 0 ? 1 : 0);
  });
});

test("a person with some platforms resumes those only, and neither pauses nor resumes the provider", async () => {
  const [mine, theirs] = [await platform(), await platform()];
  const pauses = [await start(mine), await start(theirs), await start(null)];
  const call = personCall(["ops.pauses"], { platforms: [mine] });
  const codes = await Promise.all(pauses.map(({ pauseId }) => codeOf(resume(pauseId, call))));
  expect(codes).toEqual(["done", "PAUSE_NOT_FOUND", "PAUSE_NOT_FOUND"]);
  expect(await codeOf(start(null, {}, call))).toBe("SCOPE_MISSING");
});

test("a list has the provider's pauses for everyone, and platforms' pauses for those who may access them", async () => {
  const [mine, theirs] = [await platform(), await platform()];
  const [ofMine, ofTheirs, ofProvider] = [await start(mine), await start(theirs), await start(null)];
  const idsOf = async (platforms: readonly string[] | "all") =>
    (await list(platforms, { active: true })).map(({ pauseId }) => pauseId);
  expect(await idsOf([mine])).toEqual([ofProvider.pauseId, ofMine.pauseId]);
  expect(await idsOf([])).toEqual([ofProvider.pauseId]);
  expect((await idsOf("all")).slice(0, 3)).toEqual(
    [ofProvider, ofTheirs, ofMine].map(({ pauseId }) => pauseId),
  );
  await resume(ofProvider.pauseId);
  expect(await idsOf([mine])).toEqual([ofMine.pauseId]);
  const all = await list([mine]);
  expect(all.map(({ pauseId }) => pauseId)).toContain(ofProvider.pauseId);
});

test("the time of the provider's pauses does not make a record need attention", async () => {
  const platformId = await platform();
  const patient = kycRecordsRepository(database, { keys, holdAfterSeconds: 3_600 });
  const early = await submitted(someone("early"), platformId);
  const late = await submitted(someone("late"), platformId);
  await set(early.kycRecordId, "created_at = created_at - interval '150 minutes'");
  await set(late.kycRecordId, "created_at = created_at - interval '110 minutes'");
  const { pauseId } = await start(null);
  await backdate(pauseId, "70 minutes");
  for (const { record } of [early, late])
    await patient.reschedule(platformId, record, { step: "ask", notFound: 0, delayMs: 0 });
  const rows = await admin(
    "select id, needs_attention_since is not null as held from kyc_records where platform_id = $1",
    [platformId],
  );
  const held = Object.fromEntries(rows.map(({ id, held }) => [id, held]));
  // Without the pause of 60 minutes, they were attempted for 90 and 50 minutes.
  expect(held).toEqual({ [early.kycRecordId]: true, [late.kycRecordId]: false });
});
