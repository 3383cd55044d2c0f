import { hongKongPolicies } from "@cardbridge/domain";
import { createOperations, eraseDueUsers, requestErasure } from "@cardbridge/service";
import fc from "fast-check";
import { expect, it } from "vitest";
import { aPlatformsCall, comparable, validateByBoth } from "./both.ts";
import { databaseWorld, memoryWorld, policiesOf, type World } from "./ports.ts";
import { type Step, steps } from "./submissions.ts";

/**
 * A validation and a submission in the same state never disagree (gap G29): for generated bodies, for every policy on
 * Hong Kong users. The nightly tier compares many more.
 */
const cases = Number(process.env.VALIDATE_CASES ?? 3_600);
const seed = Number(process.env.VALIDATE_SEED ?? 1);
const isLong = process.env.VALIDATE_CASES !== undefined;

/** The outcomes that the generated submissions must have. The in-memory ports have no e-mails and no keys. */
const everywhere = [
  "new",
  "replay",
  "replay KYC_REFUSED",
  "conflict KYC_ALREADY_SUBMITTED",
  "invalid INVALID_INPUT",
];
const onDatabase = ["conflict USER_IDENTITY_CONFLICT", "conflict IDEMPOTENCY_KEY_REUSED", ...everywhere];

const worlds = [
  { where: "in memory", create: async () => memoryWorld(), share: 5 / 6, outcomes: everywhere },
  { where: "on the database", create: databaseWorld, share: 1 / 6, outcomes: onDatabase },
];
const policies = Object.values(hongKongPolicies);
const variants = worlds.flatMap((world) =>
  policies.map((hongKong) => ({ ...world, hongKong, id: hongKong.id })),
);

it.each(variants)(
  "a validation and a submission agree $where, with the Hong Kong policy $id",
  async ({ create, hongKong, share, outcomes }) => {
    const world = await create();
    const count = Math.ceil((cases * share) / policies.length);
    const met = await walk(world, hongKong, count).finally(world.close);
    if (isLong) process.stdout.write(`${hongKong.id}: ${JSON.stringify(Object.fromEntries(met))}\n`);
    expect([...met.keys()]).toEqual(expect.arrayContaining(outcomes));
  },
  isLong ? 24 * 3_600_000 : undefined,
);

/** Validates and submits generated bodies one after another. Counts the outcomes. */
async function walk(
  world: World,
  hongKong: (typeof policies)[number],
  count: number,
): Promise<Map<string, number>> {
  const { kyc } = createOperations(policiesOf(hongKong));
  const met = new Map<string, number>();
  let body: Step["body"] = {};
  for (const [index, step] of fc
    .sample(steps(world.uploads, Math.ceil(count / 8)), { numRuns: count, seed })
    .entries()) {
    body = step.repeats ? body : step.body;
    world.answerWith(step.answer);
    const call = aPlatformsCall(world.platformId, step.idempotencyKey);
    const { validated, submitted } = await validateByBoth(kyc, world.ports, call, body);
    expect(
      comparable(validated),
      `step ${index} of seed ${seed}: ${JSON.stringify({ ...step, body })}`,
    ).toEqual(submitted);
    if ("valid" in validated) expect(validated.valid).toBe(submitted.code === null);
    const outcome = [submitted.submission, submitted.code ?? ""].join(" ").trim();
    met.set(outcome, (met.get(outcome) ?? 0) + 1);
    await change(world, step.afterwards, String(body.memberId));
  }
  return met;
}

async function change({ ports, platformId }: World, afterwards: string, memberId: string): Promise<void> {
  if (afterwards === "nothing") return;
  const user = memberId.length <= 64 ? await ports.users.find(platformId, { memberId }) : null;
  if (user) await requestErasure(ports, platformId, user.externalUserId);
  if (afterwards === "erased") await eraseDueUsers(ports, 10);
}
