import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { newSubmission } from "@cardbridge/api/testing";
import { expect, it, onTestFinished } from "vitest";
import { createClient, type PersonToken } from "../src/index.ts";
import { errorOf } from "./support/error-of.ts";
import { eventStream, json, serve } from "./support/server.ts";

/** A server that records the person and the procedures of each request. A call succeeds with `null`. */
async function serverOf(stream?: (number: number, response: ServerResponse) => void) {
  const requests: { person: unknown; procedures: string; headers: IncomingHttpHeaders; url: string }[] = [];
  const origin = await serve(({ headers, url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const procedures = pathname.slice("/trpc/".length);
    requests.push({ person: headers["x-cardbridge-person"], procedures, headers, url });
    if (stream) return stream(requests.length, response);
    const results = procedures.split(",").map(() => ({ result: { data: null } }));
    response
      .writeHead(200, json)
      .end(JSON.stringify(searchParams.get("batch") === "1" ? results : results[0]));
  });
  const clientOf = (person?: PersonToken) => createClient({ url: origin, apiKey: "cb_int_test_key", person });
  return { requests, clientOf };
}

/** Returns another token with each call. */
function tokens(): () => Promise<string> {
  let count = 0;
  return async () => {
    count += 1;
    return `token.${count}`;
  };
}

const sent = (requests: { person: unknown; procedures: string }[]) =>
  requests.map(({ person, procedures }) => [person, procedures]);

it("sends the person with each request, never in a URL, and no header without one", async () => {
  const { requests, clientOf } = await serverOf();
  const { cards, kyc } = clientOf(tokens());
  await cards.list.query({ memberId: "a" });
  await kyc.submit.mutate(newSubmission(), { context: { idempotencyKey: "1" } });
  await clientOf().cards.list.query({ memberId: "a" });
  expect(sent(requests)).toEqual([
    ["token.1", "cards.list"],
    ["token.2", "kyc.submit"],
    [undefined, "cards.list"],
  ]);
  expect(requests[1]?.headers["idempotency-key"]).toBe("1");
  expect(requests.map(({ url }) => url).join()).not.toContain("token");
});

it("a call's own person replaces the client's, and is never in a batch with another one", async () => {
  const { requests, clientOf } = await serverOf();
  const { cards } = clientOf("of-client");
  const of = (person?: PersonToken) =>
    cards.list.query({ memberId: "a" }, person === undefined ? {} : { context: { person } });
  await Promise.all([of(), of("one"), of(async () => "two"), of("one"), of(), of(() => "two")]);
  expect(sent(requests).toSorted()).toEqual([
    ["of-client", "cards.list,cards.list"],
    ["one", "cards.list,cards.list"],
    ["two", "cards.list,cards.list"],
  ]);
});

it("a function is called where the call starts, so that it can read the app's own request", async () => {
  const { requests, clientOf } = await serverOf();
  const session = new AsyncLocalStorage<string>();
  const { cards, kyc } = clientOf(() => session.getStore() ?? "nobody");
  const asPerson = (person: string) =>
    session.run(person, () =>
      Promise.all([cards.list.query({ memberId: person }), kyc.get.query({ memberId: person })]),
    );
  await Promise.all(["alice", "bob", "carol"].map(asPerson));
  expect(sent(requests).toSorted()).toEqual([
    ["alice", "cards.list,kyc.get"],
    ["bob", "cards.list,kyc.get"],
    ["carol", "cards.list,kyc.get"],
  ]);
  for (const { person, url } of requests) expect(decodeURIComponent(url)).toContain(`"memberId":"${person}"`);
});

it("a call fails with the app's error, or for a token that is not one, which no message contains", async () => {
  const { requests, clientOf } = await serverOf();
  const failing = clientOf(() => Promise.reject(new Error("signed out")));
  expect(await errorOf(failing.cards.list.query({ memberId: "a" }))).toMatchObject({ message: "signed out" });
  for (const wrong of ["canary 1", "", "canary\n2"]) {
    const error = (await errorOf(clientOf(wrong).cards.list.query({ memberId: "a" }))) as Error;
    expect(error.message).toBe("The person is not an access token.");
  }
  expect(requests).toEqual([]);
});

it("each reconnect of a subscription has a new token and the last position", async () => {
  const { requests, clientOf } = await serverOf((number, response) => {
    response.writeHead(200, eventStream);
    const data = '{"type":"subscription.started","timestamp":"","data":{}}';
    response.write(`retry: 10\nevent: connected\ndata: {}\n\ndata: ${data}\nid: ${number}-0\n\n`);
    if (number < 3) response.end();
  });
  const ids: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const { records } = clientOf(tokens());
    const subscription = records.changes.subscribe(
      { platformIds: ["plt_1"] },
      {
        onData({ id }) {
          ids.push(id);
          if (ids.length === 3) resolve();
        },
        onError: reject,
      },
    );
    onTestFinished(() => subscription.unsubscribe());
  });
  expect(ids).toEqual(["1-0", "2-0", "3-0"]);
  expect(requests.map(({ person, headers }) => [person, headers["last-event-id"]])).toEqual([
    ["token.1", undefined],
    ["token.2", "1-0"],
    ["token.3", "2-0"],
  ]);
});
