import { newSubmission, startTestService } from "@cardbridge/api/testing";
import {
  createTRPCClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  loggerLink,
  splitLink,
  type TRPCLink,
} from "@trpc/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppRouter, problemOf, responseInfo } from "../src/index.ts";

/* Tests tRPC's own unmodified clients with the service and the sandbox. */
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const to = (apiKey = service.caller().key) => ({
  url: `${service.url}/trpc`,
  headers: { authorization: `Bearer ${apiKey}` },
});
const logged: unknown[] = [];

/** Each link as in its documentation. */
const links: [string, (apiKey?: string) => TRPCLink<AppRouter>[]][] = [
  ["httpLink", (apiKey) => [httpLink(to(apiKey))]],
  ["httpBatchLink", (apiKey) => [httpBatchLink(to(apiKey))]],
  ["httpBatchStreamLink", (apiKey) => [httpBatchStreamLink(to(apiKey))]],
  [
    "splitLink",
    (apiKey) => [
      splitLink({
        condition: ({ type }) => type === "query",
        true: httpBatchStreamLink(to(apiKey)),
        false: httpLink(to(apiKey)),
      }),
    ],
  ],
  [
    "loggerLink",
    (apiKey) => [
      loggerLink({ logger: ({ direction, path }) => logged.push([direction, path]) }),
      httpBatchLink(to(apiKey)),
    ],
  ],
];

describe.each(links)("%s", (_name, linksTo) => {
  const client = (apiKey?: string) => createTRPCClient<AppRouter>({ links: linksTo(apiKey) });
  const codeOf = (end: PromiseSettledResult<unknown>) =>
    end.status === "rejected" ? problemOf(end.reason)?.code : "fulfilled";

  it("lists cards and submits KYC", async () => {
    expect((await client().cards.list.query({ memberId: "alice" })).total).toBe(4);
    const submission = newSubmission();
    expect(await client().kyc.submit.mutate(submission)).toMatchObject({ code: "KYC_SUBMITTED" });
    expect(await client().kyc.get.query({ memberId: submission.memberId })).toMatchObject({
      status: "APPROVED",
    });
  });

  it("returns two results and one problem for two valid calls and an unknown user", async () => {
    const { cards } = client();
    const ends = await Promise.allSettled(
      ["alice", "nobody", "alice"].map((memberId) => cards.list.query({ memberId })),
    );
    expect(ends.map(codeOf)).toEqual(["fulfilled", "USER_NOT_FOUND", "fulfilled"]);
    const reason = ends[1]?.status === "rejected" ? ends[1].reason : undefined;
    expect(problemOf(reason)).toMatchObject({ requestId: responseInfo(reason)?.requestId });
  });

  it("submits several users at once", async () => {
    const { kyc } = client();
    const results = await Promise.all(
      [newSubmission(), newSubmission()].map((one) => kyc.submit.mutate(one)),
    );
    expect(new Set(results.map(({ kycRecordId }) => kycRecordId)).size).toBe(2);
  });

  it("returns UNAUTHENTICATED for every call with a wrong key", async () => {
    const { cards } = client("cb_test_wrong");
    const ends = await Promise.allSettled(
      ["alice", "alice"].map((memberId) => cards.list.query({ memberId })),
    );
    expect(ends.map(codeOf)).toEqual(["UNAUTHENTICATED", "UNAUTHENTICATED"]);
  });
});

it.each([
  ["httpBatchLink", () => httpBatchLink(to())],
  ["httpBatchStreamLink", () => httpBatchStreamLink(to())],
])("%s returns the batch limit for a batch that is too large", async (_name, link) => {
  const { cards } = createTRPCClient<AppRouter>({ links: [link()] });
  const ends = await Promise.allSettled(
    Array.from({ length: 21 }, () => cards.list.query({ memberId: "alice" })),
  );
  for (const end of ends) {
    const reason = end.status === "rejected" ? (end.reason as Error) : new Error("fulfilled");
    expect(reason.message).toBe("Send at most 20 calls in one batch; this one has 21.");
    expect(problemOf(reason)?.requestId).toMatch(/^req_/);
  }
});

it("loggerLink logs calls and results", () => {
  expect(logged).toContainEqual(["up", "cards.list"]);
  expect(logged).toContainEqual(["down", "kyc.submit"]);
});
