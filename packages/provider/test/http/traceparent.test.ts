import { expect, it } from "vitest";
import { connectAirwallex } from "../support/airwallex.ts";
import { listen } from "../support/listener.ts";
import { connect, failureOf } from "../support/provider.ts";
import { always } from "../support/responses.ts";

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

it.each([
  ["cardbridge", connect],
  [
    "airwallex",
    (url: string, options: Parameters<typeof connectAirwallex>[1]) =>
      connectAirwallex({ url, filesUrl: url }, options),
  ],
])("each request of the adapter for %s contains the current trace, if there is one", async (_, connectTo) => {
  const listener = await listen(always(500));
  let current: string | undefined;
  const { provider } = connectTo(listener.url, { traceparent: () => current });
  await failureOf(provider.findCard("card-1"));
  const untraced = listener.requests.length;
  current = traceparent;
  await failureOf(provider.findCard("card-1"));
  const sent = listener.requests.map(({ headers }) => headers.get("traceparent"));
  expect(new Set(sent.slice(0, untraced))).toEqual(new Set([undefined]));
  expect(new Set(sent.slice(untraced))).toEqual(new Set([traceparent]));
});
