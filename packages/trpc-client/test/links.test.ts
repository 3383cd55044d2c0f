import { newSubmission, startTestService } from "@cardbridge/api/testing";
import { QueryClient } from "@tanstack/react-query";
import {
  createTRPCClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  loggerLink,
  splitLink,
  type TRPCClient,
  type TRPCLink,
} from "@trpc/client";
import { createTRPCContext, createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { type AppRouter, createClient, problemOf, type RouterOutputs, responseInfo } from "../src/index.ts";

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
    expect(problemOf(reason)).toMatchObject({ status: 404, requestId: responseInfo(reason)?.requestId });
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

it("@trpc/tanstack-react-query works with AppRouter", async () => {
  const queryClient = new QueryClient();
  const client = createTRPCClient<AppRouter>({ links: [httpBatchLink(to())] });
  const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
  const page = await queryClient.fetchQuery(trpc.cards.list.queryOptions({ memberId: "alice" }));
  expectTypeOf(page).toEqualTypeOf<RouterOutputs["cards"]["list"]>();
  expect(page.total).toBe(4);
  const { mutationKey } = trpc.kyc.submit.mutationOptions();
  expect(mutationKey).toEqual([["kyc", "submit"]]);
  const { useTRPC } = createTRPCContext<AppRouter>();
  expectTypeOf<ReturnType<typeof useTRPC>["cards"]["list"]["queryOptions"]>().toBeFunction();
  queryClient.clear();
});

it("@trpc/tanstack-react-query pages with infinite queries", async () => {
  const queryClient = new QueryClient();
  const client = createTRPCClient<AppRouter>({ links: [httpBatchLink(to())] });
  const { webhooks } = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
  const endpoint = { url: "https://hooks.example.com/", eventTypes: ["kyc.updated" as const] };
  const { endpointId } = await client.webhooks.create.mutate(endpoint);
  const sent = [];
  for (let count = 0; count < 3; count += 1) sent.unshift(await client.webhooks.test.mutate({ endpointId }));
  const options = webhooks.deliveries.infiniteQueryOptions(
    { endpointId, pageSize: 2 },
    { initialCursor: null, getNextPageParam: ({ nextCursor }) => nextCursor },
  );
  const { pages } = await queryClient.fetchInfiniteQuery({ ...options, pages: 2 });
  expect(pages.map(({ items }) => items.length)).toEqual([2, 1]);
  expect(pages.flatMap(({ items }) => items.map(({ deliveryId }) => deliveryId))).toEqual(
    sent.map(({ deliveryId }) => deliveryId),
  );
  await client.webhooks.delete.mutate({ endpointId });
  queryClient.clear();
});

it("@trpc/tanstack-react-query works with the client of this package", async () => {
  const queryClient = new QueryClient();
  const client = createClient({ url: service.url, apiKey: service.caller().key }) as TRPCClient<AppRouter>;
  const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
  const page = await queryClient.fetchQuery(trpc.cards.list.queryOptions({ memberId: "alice" }));
  expect(page.total).toBe(4);
  queryClient.clear();
});
