import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { generateApiKey } from "../../../src/admission/api-key.ts";
import { invalidHead } from "../../../src/server/invalid-head.ts";
import { readAnswer } from "../../support/call.ts";
import { fakeApp, fullKey, uploadPath } from "../../support/fakes.ts";

/* A violation of a header has the header's name as its path, whatever the method and the transport (G2). */
const internal = generateApiKey("test", "internal");
const { app } = fakeApp({ keys: { [internal]: ["kyc:write"] } });
const json = { "content-type": "application/json" };
const badKey = { "idempotency-key": "a b" };

async function pathsOf(path: string, init: RequestInit): Promise<string[]> {
  const { body } = await readAnswer(await app.request(path, init));
  return (body as { errors: { path: string; rule: string }[] }).errors.map(
    ({ path, rule }) => `${path} ${rule}`,
  );
}

const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });
const kyc = "/openapi/v1/users/kyc";
const list = "/openapi/v1/cards/list?memberId=member-1";
const post = (headers: Record<string, string>, body = "{}") => ({
  method: "POST",
  headers: { ...bearer(fullKey), ...headers },
  body,
});

const form = (more = {}) => post({ "content-type": "multipart/form-data; boundary=x", ...more });
const gzip = { "content-encoding": "gzip" };
const put = { method: "PUT", headers: gzip, body: "x" };

it.each<[string, string, RequestInit, string]>([
  ["Idempotency-Key", kyc, post({ ...json, ...badKey }), "idempotency-key"],
  ["Idempotency-Key", "/trpc/kyc.submit", post({ ...json, ...badKey }), "idempotency-key"],
  ["Idempotency-Key", list, { headers: { ...bearer(fullKey), ...badKey } }, "idempotency-key-unsupported"],
  ["Content-Type", kyc, post({ "content-type": "text/plain" }), "content-type"],
  ["Content-Encoding", kyc, post({ ...json, ...gzip }), "content-encoding"],
  ["Content-Encoding", "/openapi/v1/files", form(gzip), "content-encoding"],
  ["Content-Encoding", uploadPath(), put, "content-encoding"],
  [
    "Content-Type",
    "/openapi/v1/files",
    form({ "content-type": "multipart/form-data; boundary=" }),
    "form-boundary",
  ],
  ["Authorization", kyc, post(bearer(generateApiKey("live"))), "environment"],
  ["X-Cardbridge-Platform", kyc, post({ ...json, ...bearer(internal) }), "platform-required"],
])("%s of %s", async (header, path, init, rule) => {
  expect(await pathsOf(path, init)).toContain(`${header} ${rule}`);
});

it.each([
  ["Host", {}],
  ["Transfer-Encoding", { host: "a", "transfer-encoding": "gzip" }],
  ["Expect", { host: "a", expect: "x" }],
])("%s, below the app", (name, headers: Record<string, string>) => {
  const rawHeaders = Object.entries(headers).flat();
  const failure = invalidHead({ httpVersion: "1.1", url: "/", headers, rawHeaders } as IncomingMessage);
  expect(failure?.details.violations).toMatchObject([{ path: [], header: name }]);
});
