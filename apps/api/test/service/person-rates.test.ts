import { operatorScope, type Role } from "@cardbridge/domain";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startIssuer } from "../support/issuer.ts";
import { makeInternalKey } from "../support/keys.ts";
import { startTestService } from "../support/test-service.ts";
import { problemIn, trpcClient } from "../support/trpc.ts";

/** The rates of the persons behind one app's key (gaps G22, G37), over the whole service with a real database. */
let issuer: Awaited<ReturnType<typeof startIssuer>>;
let service: Awaited<ReturnType<typeof startTestService>>;
let apiKey: string;
beforeAll(async () => {
  issuer = await startIssuer();
  const env = { ...issuer.env, RATE_LIMIT_READS: "12/86400", RATE_LIMIT_WRITES: "5/86400" };
  service = await startTestService({ events: false, env });
  apiKey = await makeInternalKey(service.adminUrl, operatorScope.options);
});
afterAll(async () => {
  await service.stop();
  await issuer.stop();
});

const tokenOf = (sub: string, ...roles: Role[]) => issuer.token({ sub, roles });
const callAs = async (sub: string, ...roles: Role[]) =>
  trpcClient({ url: service.url, apiKey, person: await tokenOf(sub, ...roles) });

it("a viewer's batches leave the rates of others untouched", async () => {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    "x-cardbridge-person": await tokenOf("viewer", "viewer"),
  };
  const names = Array.from({ length: 10 }, () => "persons.me").join();
  const inputs = encodeURIComponent(
    JSON.stringify(Object.fromEntries([...Array(10).keys()].map((i) => [i, {}]))),
  );
  const batch = async () =>
    (await fetch(`${service.url}/trpc/${names}?batch=1&input=${inputs}`, { headers })).status;
  expect([await batch(), await batch(), await batch()]).toEqual([200, 207, 429]);
  const other = await callAs("other", "viewer");
  expect(await other.persons.me.query({})).toMatchObject({ roles: ["viewer"] });
});

it("a person's flood of notes stops neither that person's blocks and revocations nor anyone else's notes", async () => {
  const blocked = await (await callAs("blocked", "viewer")).persons.me.query({});
  const busy = await callAs("busy", "support", "administrator");
  const note = (caller: typeof busy) =>
    problemIn(caller.records.addNote.mutate({ kycRecordId: "kyc_none", text: "A note" }));
  const answers = [];
  for (let nth = 0; nth < 25; nth += 1) answers.push((await note(busy))?.code);
  expect(Object.groupBy(answers, (code) => code ?? "none")).toMatchObject({
    KYC_RECORD_NOT_FOUND: Array(5).fill("KYC_RECORD_NOT_FOUND"),
    RATE_LIMITED: Array(20).fill("RATE_LIMITED"),
  });
  expect(await busy.persons.block.mutate({ personId: blocked.personId })).toMatchObject({
    blockedAt: expect.any(String),
  });
  expect(await problemIn(busy.keys.revoke.mutate({ keyId: "key_none" }))).toMatchObject({
    code: "KEY_NOT_FOUND",
  });
  expect(await note(await callAs("other", "support"))).toMatchObject({ code: "KYC_RECORD_NOT_FOUND" });
});
