import { startTestService } from "@cardbridge/api/testing";
import { QueryClient, skipToken } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, type TRPCClient } from "@trpc/client";
import { createTRPCContext, createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { afterAll, beforeAll, expect, expectTypeOf, it, onTestFinished } from "vitest";
import {
  type AppRouter,
  createClient,
  type KycChangePage,
  problemOf,
  type RecordRow,
  type RouterOutputs,
} from "../src/index.ts";
import { errorOf } from "./support/error-of.ts";
import { json, serve } from "./support/server.ts";

/* Tests @trpc/tanstack-react-query with the service: the options that its hooks use, without React. */
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const ownClient = () =>
  createClient({ url: service.url, apiKey: service.caller().key }) as TRPCClient<AppRouter>;
function trpcClient() {
  const headers = { authorization: `Bearer ${service.caller().key}` };
  return createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: `${service.url}/trpc`, headers })] });
}

function open(client: TRPCClient<AppRouter> = ownClient()) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  onTestFinished(() => queryClient.clear());
  return { queryClient, trpc: createTRPCOptionsProxy<AppRouter>({ client, queryClient }) };
}

it.each([
  ["the client of this package", ownClient],
  ["a client of the app", trpcClient],
])("queries with %s, without an input if its fields are all optional", async (_name, clientOf) => {
  const { queryClient, trpc } = open(clientOf());
  const page = await queryClient.fetchQuery(trpc.cards.list.queryOptions({ memberId: "alice" }));
  expectTypeOf(page).toEqualTypeOf<RouterOutputs["cards"]["list"]>();
  expect(page.total).toBe(4);
  const unknown = queryClient.fetchQuery(trpc.cards.list.queryOptions({ memberId: "nobody" }));
  expect(problemOf(await errorOf(unknown))?.code).toBe("USER_NOT_FOUND");
  const { endpoints } = await queryClient.fetchQuery(trpc.webhooks.list.queryOptions());
  expect(endpoints).toEqual([]);
});

it("has the keys of queries and mutations, also of a platform, and hooks with types", () => {
  const { trpc } = open();
  const keyOf = (platformId: string) => trpc.cards.list.queryOptions({ memberId: "a", platformId }).queryKey;
  expect(keyOf("plt_1")).not.toEqual(keyOf("plt_2"));
  expect(trpc.kyc.submit.mutationOptions().mutationKey).toEqual([["kyc", "submit"]]);
  const { useTRPC } = createTRPCContext<AppRouter>();
  expectTypeOf<ReturnType<typeof useTRPC>["cards"]["list"]["queryOptions"]>().toBeFunction();
  const getNextPageParam = (page: KycChangePage) => (page.more ? page.lastEventId : undefined);
  expect(trpc.kyc.listChanges.infiniteQueryOptions({}, { getNextPageParam }).queryKey).toHaveLength(2);
  // @ts-expect-error A list of cards needs a user.
  trpc.cards.list.queryOptions();
});

it("has the options of a subscription, which may be skipped", async () => {
  const { trpc } = open();
  expect(trpc.kyc.changes.subscriptionOptions(skipToken).enabled).toBe(false);
  const options = trpc.kyc.changes.subscriptionOptions(undefined, {
    onData: ({ id, data }) => {
      expectTypeOf(id).toEqualTypeOf<string>();
      expectTypeOf(data.type).toEqualTypeOf<
        | "kyc.updated"
        | "kyc.request_updated"
        | "kyc.document_expiring"
        | "kyc.document_expired"
        | "subscription.started"
      >();
    },
  });
  const started = await new Promise((resolve, reject) => {
    const { unsubscribe } = options.subscribe({ onData: resolve, onError: reject });
    onTestFinished(unsubscribe);
  });
  expect(started).toMatchObject({ data: { type: "subscription.started" } });
});

it("reads the pages of a search of records as an infinite query, one direction and each page once", async () => {
  const asked: unknown[] = [];
  const url = await serve(({ url = "" }, response) => {
    const input = new URL(url, "http://localhost").searchParams.get("input") ?? "";
    const { cursor, ...query } = JSON.parse(input)[0];
    asked.push(query);
    const nextCursor = cursor == null ? "2" : cursor === "2" ? "3" : null;
    const data = { records: [], nextCursor, narrow: false, asOf: "2026-01-31T12:00:00.000Z" };
    response.writeHead(200, json).end(JSON.stringify([{ result: { data } }]));
  });
  const { queryClient, trpc } = open(createClient({ url, apiKey: "cb_int_key" }) as TRPCClient<AppRouter>);
  const options = trpc.records.search.infiniteQueryOptions(
    { open: true, platformIds: ["plt_1"] },
    { getNextPageParam: ({ nextCursor }) => nextCursor },
  );
  const { pages, pageParams } = await queryClient.fetchInfiniteQuery({ ...options, pages: 9 });
  expectTypeOf(pages[0]?.records).toEqualTypeOf<RecordRow[] | undefined>();
  expect(pageParams).toEqual([undefined, "2", "3"]);
  const first = { open: true, platformIds: ["plt_1"], direction: "forward" };
  expect(asked).toEqual([first, first, first]);
});
