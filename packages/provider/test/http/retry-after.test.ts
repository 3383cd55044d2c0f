import { expect, it } from "vitest";
import { newKycRequest } from "../../src/conformance/inputs.ts";
import { listen } from "../support/listener.ts";
import { connect, failureOf } from "../support/provider.ts";
import { always, kycQuery, kycReference, request } from "../support/responses.ts";

const kycRequest = { ...newKycRequest("ada@example.com"), ...kycReference };
const now = Date.parse("2026-01-31T12:00:00.500Z");

it.each([
  ["17", 17],
  ["0", 1],
  ["86400", 60],
  ["9".repeat(400), 60],
  ["Sat, 31 Jan 2026 12:00:09 GMT", 9],
  ["Sat, 31 Jan 2026 11:00:00 GMT", 1],
  ["Sat, 31 Jan 2027 12:00:00 GMT", 60],
  ["soon", 5],
  ["-5", 5],
  ["1.5", 5],
])("a Retry-After of %s is read as %i seconds", async (header, seconds) => {
  const listener = await listen(always(429, "", { "retry-after": header }));
  const { provider } = connect(listener.url, { now: () => now });
  expect(await failureOf(provider.listCards(request))).toMatchObject({ retryAfterSeconds: seconds });
  const unknown = { outcome: "unknown", reason: "status-429", retryAfterSeconds: seconds };
  expect(await provider.submitKyc(kycRequest)).toEqual(unknown);
  expect(await provider.findKyc(kycQuery)).toEqual(unknown);
  expect(listener.requests).toHaveLength(3);
});

it("the Retry-After of a 503 is returned", async () => {
  const { url } = await listen(always(503, "", { "retry-after": "17" }));
  const { provider } = connect(url);
  expect(await failureOf(provider.listCards(request))).toMatchObject({ retryAfterSeconds: 17 });
  expect(await provider.submitKyc(kycRequest)).toMatchObject({ outcome: "unknown", retryAfterSeconds: 17 });
});
