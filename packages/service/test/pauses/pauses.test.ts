import { Failure } from "@cardbridge/domain";
import { afterEach, describe, expect, test } from "vitest";
import { kycRecordsRepository, pausesRepository, readCurrentPauses } from "../../src/database.ts";
import { keys, makeWorld, someone } from "../support/world.ts";

const { admin, audit, database, platform, set, submitted } = await makeWorld();
const names = async (ids: readonly string[]) => ids.map((personId) => ({ personId, name: "Ada" }));
const pauses = pausesRepository(database, names);
const by = { actor: "per_ada/key_1", requestId: "r", address: null, operation: "pauses.pauseProvider" };

// A pause of the provider concerns every test.
afterEach(() => admin("delete from pauses where platform_id = 'internal'"));

let created = 0;
function aPause(platformId: string | null) {
  created += 1;
  const until = new Date(Date.now() + 3_600_000);
  return { pauseId: `pause_${created}`, platformId, reason: "Maintenance", until, personId: "per_ada", by };
}
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
    const pause = aPause(platformId);
    expect(await pauses.start(pause)).toMatchObject({
      pauseId: pause.pauseId,
      target: "platform",
      platformId,
      platformName: "A platform",
      state: "active",
      person: { personId: "per_ada", name: "Ada" },
      pausedBy: by.actor,
      until: pause.until.toISOString(),
      resumedBy: null,
    });
    const [active] = await currentOf(platformId);
    expect(active).toMatchObject({ pauseId: pause.pauseId, reason: "Maintenance", endsAt: pause.until });
    expect(active?.endsInMs).toBeGreaterThan(3_000_000);

    const resumed = await pauses.resume(pause.pauseId, { ...by, operation: "pauses.resume" });
    expect(resumed).toMatchObject({ state: "ended", resumedBy: by.actor, until: pause.until.toISOString() });
    expect(await currentOf(platformId)).toEqual([]);
    expect(await entriesOf(platformId)).toMatchObject([
      { operation: "pauses.resume", subject: pause.pauseId, outcome: "done" },
      { operation: "pauses.pauseProvider", subject: pause.pauseId, outcome: "done" },
    ]);
  });

  test("of the provider is audited at the internal apps' platform, and is no platform's", async () => {
    const pause = aPause(null);
    expect(await pauses.start(pause)).toMatchObject({
      target: "provider",
      platformId: null,
      platformName: null,
    });
    expect(await pauses.platformOf(pause.pauseId)).toBeNull();
    expect((await entriesOf("internal"))[0]).toMatchObject({ subject: pause.pauseId });
    await pauses.resume(pause.pauseId, by);
    expect(await currentOf(null)).toEqual([]);
  });

  test("is refused while another one of its target is active, also at the same time", async () => {
    const platformId = await platform();
    const results = await Promise.allSettled([1, 2, 3].map(() => pauses.start(aPause(platformId))));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "PAUSE_CONFLICT" });
    expect(await entriesOf(platformId)).toHaveLength(1);
  });

  test("ends by itself, and then prevents no other one", async () => {
    const platformId = await platform();
    const pause = aPause(platformId);
    await pauses.start(pause);
    await backdate(pause.pauseId, "1 hour 1 minute");
    expect(await currentOf(platformId)).toEqual([]);
    await expect(pauses.resume(pause.pauseId, by)).rejects.toMatchObject({
      code: "PAUSE_CONFLICT",
    });
    expect(await pauses.start(aPause(platformId))).toMatchObject({ state: "active" });
    const listed = await pauses.list([platformId], { limit: 2 });
    expect(listed.map(({ state }) => state)).toEqual(["active", "ended"]);
    expect(listed[1]).toMatchObject({ resumedBy: null, resumedAt: null });
  });

  test("of an unknown platform, and a resume of an unknown pause, change nothing", async () => {
    await expect(pauses.start(aPause("plt_nobody"))).rejects.toEqual(new Failure("PLATFORM_NOT_FOUND"));
    expect(await pauses.resume("pause_nobody", by)).toBeNull();
    expect(await pauses.platformOf("pause_nobody")).toBeUndefined();
  });
});

test("a list has the provider's pauses for everyone, and platforms' pauses for those who may access them", async () => {
  const [mine, theirs] = [await platform(), await platform()];
  const [ofMine, ofTheirs, ofProvider] = [aPause(mine), aPause(theirs), aPause(null)];
  for (const pause of [ofMine, ofTheirs, ofProvider]) await pauses.start(pause);
  const idsOf = async (platforms: readonly string[] | "all") =>
    (await pauses.list(platforms, { active: true, limit: 50 })).map(({ pauseId }) => pauseId);
  expect(await idsOf([mine])).toEqual([ofProvider.pauseId, ofMine.pauseId]);
  expect(await idsOf([])).toEqual([ofProvider.pauseId]);
  expect((await idsOf("all")).slice(0, 3)).toEqual(
    [ofProvider, ofTheirs, ofMine].map(({ pauseId }) => pauseId),
  );
  await pauses.resume(ofProvider.pauseId, by);
  expect(await idsOf([mine])).toEqual([ofMine.pauseId]);
  const all = await pauses.list([mine], { limit: 50 });
  expect(all.map(({ pauseId }) => pauseId)).toContain(ofProvider.pauseId);
});

test("the time of the provider's pauses does not make a record need attention", async () => {
  const platformId = await platform();
  const patient = kycRecordsRepository(database, { keys, holdAfterSeconds: 3_600 });
  const early = await submitted(someone("early"), platformId);
  const late = await submitted(someone("late"), platformId);
  await set(early.kycRecordId, "created_at = created_at - interval '150 minutes'");
  await set(late.kycRecordId, "created_at = created_at - interval '110 minutes'");
  const pause = aPause(null);
  await pauses.start(pause);
  await backdate(pause.pauseId, "70 minutes");
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
