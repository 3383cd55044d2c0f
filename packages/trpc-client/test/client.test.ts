import { newSubmission, startTestService } from "@cardbridge/api/testing";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { createClient, type Problem, problemOf, type RouterInputs, responseInfo } from "../src/index.ts";
import { errorOf } from "./support/error-of.ts";
import { json, serve } from "./support/server.ts";

let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const client = (url = service.url, apiKey = service.caller().key) => createClient({ url, apiKey });
const requests = () => service.lines.filter((line) => line.includes('"route":"/trpc/')).length;

it("lists cards and submits KYC with types from one import", async () => {
  const page = await client(`${service.url}/`).cards.list.query({ memberId: "alice" });
  expectTypeOf(page.items[0]?.last4).toEqualTypeOf<string | null | undefined>();
  expect(page.total).toBe(4);

  const result = await client().kyc.submit.mutate({ ...newSubmission(), gender: "female" });
  expectTypeOf(result.status).toEqualTypeOf<
    "PENDING" | "PENDING_APPROVAL" | "APPROVED" | "REJECTED" | null
  >();
  expect(result).toMatchObject({ success: true, status: "APPROVED" });
});

it("returns the problem of an error with its type", async () => {
  const unnamed: object = {};
  const error = await errorOf(client().cards.list.query(unnamed as RouterInputs["cards"]["list"]));
  const problem = problemOf(error);
  expectTypeOf(problem).toEqualTypeOf<Problem | undefined>();
  expect(problem).toMatchObject({ code: "INVALID_INPUT", errors: [{ rule: "exactly-one-identifier" }] });

  const refused = client(service.url, "cb_test_wrong");
  expect(problemOf(await errorOf(refused.cards.list.query({ memberId: "a" })))).toMatchObject({
    code: "UNAUTHENTICATED",
  });
  expect(problemOf(new Error("elsewhere"))).toBeUndefined();
});

it("sends the platform with each call if it is set", async () => {
  const platforms: unknown[] = [];
  const url = await serve(({ headers }, response) => {
    platforms.push(headers["x-cardbridge-platform"]);
    response.writeHead(500, json).end('{"error":{}}');
  });
  for (const platform of ["plt_one", undefined]) {
    const { cards, kyc } = createClient({ url, apiKey: "cb_int_key", platform });
    await errorOf(cards.list.query({ memberId: "alice" }));
    await errorOf(kyc.submit.mutate(newSubmission()));
  }
  expect(platforms).toEqual(["plt_one", "plt_one", undefined, undefined]);
});

describe("requests", () => {
  it("batch queries, each with its own result", async () => {
    const { cards } = client();
    const before = requests();
    const [alice, nobody, again] = await Promise.allSettled([
      cards.list.query({ memberId: "alice" }),
      cards.list.query({ memberId: "nobody" }),
      cards.list.query({ memberId: "alice", status: "active" }),
    ]);
    expect(requests() - before).toBe(1);
    expect([alice.status, nobody.status, again.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const reason = nobody.status === "rejected" ? nobody.reason : undefined;
    expect(problemOf(reason)).toMatchObject({ code: "USER_NOT_FOUND" });
  });

  it("split batches that exceed the limit of calls or of the URL length", async () => {
    const { cards } = client();
    const many = (count: number, memberId: string) =>
      Promise.allSettled(Array.from({ length: count }, () => cards.list.query({ memberId })));
    const before = requests();
    expect((await many(21, "alice")).map(({ status }) => status)).not.toContain("rejected");
    expect(requests() - before).toBe(2);
    const long = await many(20, "\u4e00".repeat(64));
    const codes = long.map((end) => (end.status === "rejected" ? problemOf(end.reason)?.code : "fulfilled"));
    expect(new Set(codes)).toEqual(new Set(["USER_NOT_FOUND"]));
    expect(requests() - before).toBeGreaterThan(4);
  });

  it("contain one mutation each, with its own Idempotency-Key", async () => {
    const { kyc } = client();
    const before = requests();
    const context = { idempotencyKey: `key-${Math.random()}` };
    const [keyed] = await Promise.all([
      kyc.submit.mutate(newSubmission(), { context }),
      kyc.submit.mutate(newSubmission()),
    ]);
    expect(requests() - before).toBe(2);
    const other = await errorOf(kyc.submit.mutate(newSubmission(), { context }));
    expect(problemOf(other)).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
    expect(keyed.code).toBe("KYC_SUBMITTED");
  });

  it("fail with an Idempotency-Key that is not a string or not supported", async () => {
    // JavaScript callers have no type check.
    const context: { idempotencyKey: string } = JSON.parse('{"idempotencyKey":1}');
    const number = await errorOf(client().kyc.submit.mutate(newSubmission(), { context }));
    expect((number as Error).message).toBe("The idempotencyKey must be a string.");
    const upload = client().files.createUploadUrl.mutate(
      { purpose: "selfie" },
      { context: { idempotencyKey: "a" } },
    );
    expect(problemOf(await errorOf(upload))).toMatchObject({
      errors: [{ rule: "idempotency-key-unsupported" }],
    });
  });
});

describe("the information from response headers", () => {
  it("contains the request id and whether a submission was a replay", async () => {
    const submission = newSubmission();
    const requestId = expect.stringMatching(/^req_/);
    const first = await client().kyc.submit.mutate(submission);
    const again = await client().kyc.submit.mutate(submission);
    expect(again).toEqual(first);
    expect(responseInfo(first)).toEqual({ requestId, replayed: false });
    expect(responseInfo(again)).toEqual({ requestId, replayed: true });
  });

  it("is available for a refusal", async () => {
    const submission = newSubmission("refused");
    const ends = [];
    for (let i = 0; i < 2; i += 1) ends.push(await errorOf(client().kyc.submit.mutate(submission)));
    expect(ends.map(problemOf)).toMatchObject([{ code: "KYC_REFUSED" }, { code: "KYC_REFUSED" }]);
    expect(ends.map((end) => responseInfo(end)?.replayed)).toEqual([false, true]);
    expect(responseInfo(ends[0])?.requestId).toBe(problemOf(ends[0])?.requestId);
  });

  it("is undefined for any other value", () => {
    for (const other of [undefined, 1, {}, new Error("elsewhere")])
      expect(responseInfo(other)).toBeUndefined();
  });
});
