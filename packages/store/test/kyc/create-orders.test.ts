import { randomUUID } from "node:crypto";
import { type KycRecord, normalizeEmail } from "@cardbridge/domain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { expectedChange, expectedResult, type ModelUser, newUser } from "../support/identity-model.ts";
import { aCaller, answered, aRequest, makeWorld } from "../support/world.ts";

/*
 * Two users and two e-mails, in any order of submissions, verdicts, changes, imports and erasures. The model of
 * create-identity.test.ts defines the outcome of each step, also for a user without an e-mail (G17).
 */
const { erasures, kyc, platform, userAdmin, users } = await makeWorld({ maxConnections: 2 });

const emails = ["one@example.com", "two@example.com"] as const;
const memberIds = ["first", "second"] as const;
const verdicts = ["approved", "rejected", "not_submitted", "manual_review", "refused"] as const;
const step = fc.record({
  action: fc.oneof(
    { weight: 5, arbitrary: fc.constant("createOrReplay" as const) },
    { weight: 5, arbitrary: fc.constantFrom(...verdicts) },
    { weight: 2, arbitrary: fc.constant("change" as const) },
    { weight: 1, arbitrary: fc.constantFrom("import" as const, "request" as const, "erase" as const) },
  ),
  memberId: fc.constantFrom(...memberIds),
  email: fc.constantFrom(...emails),
});

interface KnownUser extends ModelUser {
  id: string;
  record?: KycRecord;
}

/** Takes one step. Returns its outcome and the outcome that the model expects. */
async function take(
  { action, memberId, email }: typeof step extends fc.Arbitrary<infer S> ? S : never,
  known: Map<string, KnownUser>,
  platformId: string,
  revision: number,
): Promise<[unknown, unknown]> {
  const user = known.get(memberId);
  const owner = [...known.values()].find((other) => other !== user && other.email === email);
  const move = (id: string) => {
    if (owner) owner.email = null;
    known.set(memberId, { ...newUser, ...user, id, email });
  };
  const codeOf = ({ code }: { code: string }) => code;
  switch (action) {
    case "createOrReplay": {
      const request = aRequest({ memberId, email, occupation: randomUUID() });
      const result = await kyc.createOrReplay(platformId, request).catch(codeOf);
      const code = expectedResult(user, email, owner);
      if (typeof result === "string") return [result, code];
      move(result.record.externalUserId);
      Object.assign(known.get(memberId) ?? {}, { record: result.record, latest: result.record });
      return [
        [result.kind, user?.id],
        [code, user && result.record.externalUserId],
      ];
    }
    case "change": {
      const code = expectedChange(user, email, owner);
      const result = await users.changeEmail(platformId, { memberId, email }, aCaller).catch(codeOf);
      if (code === "changed" && user) move(user.id);
      const expected = { changed: { externalUserId: user?.id }, USER_NOT_FOUND: null }[code as string];
      return [result, expected === undefined ? code : expected];
    }
    case "import": {
      const taken = user || [...known.values()].some((other) => other.email === email);
      const id = `usr_${randomUUID()}`;
      const [outcome] = await userAdmin.import(platformId, [{ memberId, email, generatedId: id }], aCaller);
      if (!taken) known.set(memberId, { ...newUser, id, email, imported: true });
      return [outcome?.outcome === "created", !taken];
    }
    case "request":
      if (user) user.erasureRequested = await erasures.request(platformId, user.id);
      return [user?.erasureRequested, user && true];
    case "erase":
      await erasures.eraseDue(1_000);
      for (const [name, { latest, erasureRequested }] of known)
        if (erasureRequested && latest?.resolution !== "unresolved") known.delete(name);
      return [null, null];
    default: {
      if (!user?.record) return [null, null];
      const verdict =
        action === "refused" ? ({ outcome: "refused" } as const) : answered(action, null, revision);
      const { record, before, approvedWithoutEmail } = await kyc.storeVerdict(
        platformId,
        user.record,
        verdict,
      );
      const isApproved = record.status === "APPROVED";
      const everApproved = user.everApproved || isApproved;
      Object.assign(user, { record, latest: record, everApproved });
      return [approvedWithoutEmail, isApproved && before.status !== "APPROVED" && user.email === null];
    }
  }
}

test("every order of steps has the outcome that the model expects, and each e-mail has one user", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), async (steps) => {
      const platformId = await platform();
      const known = new Map<string, KnownUser>();
      for (const [index, each] of steps.entries()) {
        const [actual, expected] = await take(each, known, platformId, index + 1);
        expect(actual).toEqual(expected);
      }
      const find = async (name: Parameters<typeof users.find>[1]) =>
        (await users.find(platformId, name))?.externalUserId;
      for (const memberId of memberIds) expect(await find({ memberId })).toBe(known.get(memberId)?.id);
      for (const email of emails) {
        const [owner] = [...known.values()].filter((user) => user.email === normalizeEmail(email));
        expect(await find({ email })).toBe(owner?.id);
      }
    }),
    { numRuns: 40 },
  );
});
