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

const codeOf = (end: PromiseSettledResult<unknown>) =>
  end.status === "rejected" ? problemOf(end.reason)?.code : "fulfilled";

describe.each(links)("%s", (_name, linksTo) => {
  const client = (apiKey?: string) => createTRPCClient<AppRouter>({ links: linksTo(apiKey) });

  it("submits users at once, and returns the problem of each call beside the results of others", async () => {
    const { cards, kyc } = client();
    const submissions = [newSubmission(), newSubmission()];
    const results = await Promise.all(submissions.map((one) => kyc.submit.mutate(one)));
    expect(new Set(results.map(({ kycRecordId }) => kycRecordId)).size).toBe(2);
    const calls = ["alice", "nobody", "alice"].map((memberId) => cards.list.query({ memberId }));
    const [first, second, third] = await Promise.allSettled(calls);
    expect([first, third]).toMatchObject([{ value: { total: 4 } }, { value: { total: 4 } }]);
    const reason = second?.status === "rejected" ? second.reason : undefined;
    const { requestId } = responseInfo(reason) ?? {};
    expect(problemOf(reason)).toMatchObject({ code: "USER_NOT_FOUND", requestId });
  });

  it("returns UNAUTHENTICATED for every call with a wrong key", async () => {
    const { cards } = client("cb_test_wrong");
    const calls = ["alice", "alice"].map((memberId) => cards.list.query({ memberId }));
    expect((await Promise.allSettled(calls)).map(codeOf)).toEqual(["UNAUTHENTICATED", "UNAUTHENTICATED"]);
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
