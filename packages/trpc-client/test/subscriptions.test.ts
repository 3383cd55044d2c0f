import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { startTestService } from "@cardbridge/api/testing";
import { expect, it, onTestFinished } from "vitest";
import { createClient, problemOf, type RouterOutputs } from "../src/index.ts";
import { eventStream, json, serve } from "./support/server.ts";

type Event = RouterOutputs["kyc"]["changes"] extends AsyncIterable<infer One> ? One : never;

/** Subscribes, and collects events until `isEnough` or an error. */
function subscribe(url: string, isEnough: (events: Event[]) => boolean) {
  const events: Event[] = [];
  const ended = new Promise<Error | undefined>((resolve) => {
    const subscription = createClient({ url, apiKey: "cb_test_key" }).kyc.changes.subscribe(
      {},
      {
        onData(event) {
          events.push(event);
          if (isEnough(events)) resolve(undefined);
        },
        onError: resolve,
      },
    );
    onTestFinished(() => subscription.unsubscribe());
  });
  return { events, ended };
}

/** A server whose responses the test writes by the number of the request. */
async function serverOf(answer: (number: number, response: ServerResponse) => void) {
  const requests: IncomingHttpHeaders[] = [];
  const url = await serve(({ headers }, response) => {
    requests.push(headers);
    answer(requests.length, response);
  });
  return { requests, url };
}

// browser.test.ts receives the changes of a submission.
it("ends with the problem for an unknown key", async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const { ended } = subscribe(service.url, () => false);
  expect(problemOf(await ended)?.code).toBe("UNAUTHENTICATED");
});

it("reconnects with its key and the last event id after the end of a response and after a 503", async () => {
  const unavailable = { error: { message: "later", code: -32603, data: { code: "SERVICE_UNAVAILABLE" } } };
  const message = (id: string) =>
    `data: {"type":"subscription.started","timestamp":"","data":{}}\nid: ${id}\n\n`;
  const { url, requests } = await serverOf((number, response) => {
    if (number === 2) {
      response.writeHead(503, json).end(JSON.stringify(unavailable));
    } else {
      response.writeHead(200, eventStream);
      response.write(`retry: 10\nevent: connected\ndata: {}\n\n${message(`${number}-0`)}`);
      if (number === 1) response.end();
    }
  });
  const { events, ended } = subscribe(url, (all) => all.length === 2);
  expect(await ended).toBeUndefined();
  expect(events.map(({ id }) => id)).toEqual(["1-0", "3-0"]);
  expect(requests.map((headers) => [headers.authorization, headers["last-event-id"]])).toEqual([
    ["Bearer cb_test_key", undefined],
    ["Bearer cb_test_key", "1-0"],
    ["Bearer cb_test_key", "1-0"],
  ]);
});

it("ends at a server that is not cardbridge", async () => {
  const { url, requests } = await serverOf((_, response) => response.writeHead(404).end("<html>"));
  const { ended } = subscribe(url, () => false);
  expect(await ended).toBeInstanceOf(Error);
  expect(requests).toHaveLength(1);
});
