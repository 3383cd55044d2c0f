import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { generateApiKey } from "../../src/admission/api-key.ts";
import { invalidHead } from "../../src/server/invalid-head.ts";
import { readAnswer } from "../support/call.ts";
import { fakeApp, fullKey, uploadPath } from "../support/fakes.ts";

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

it.each<[string, string, RequestInit, string]>([
  ["Idempotency-Key of a write", kyc, post({ ...json, ...badKey }), "Idempotency-Key idempotency-key"],
  [
    "Idempotency-Key over tRPC",
    "/trpc/kyc.submit",
    post({ ...json, ...badKey }),
    "Idempotency-Key idempotency-key",
  ],
  [
    "Idempotency-Key of a read",
    list,
    { headers: { ...bearer(fullKey), ...badKey } },
    "Idempotency-Key idempotency-key-unsupported",
  ],
  ["Content-Type", kyc, post({ "content-type": "text/plain" }), "Content-Type content-type"],
  [
    "Content-Encoding",
    kyc,
    post({ ...json, "content-encoding": "gzip" }),
    "Content-Encoding content-encoding",
  ],
  [
    "Content-Encoding of a form",
    "/openapi/v1/files",
    post({ "content-type": "multipart/form-data; boundary=x", "content-encoding": "br" }),
    "Content-Encoding content-encoding",
  ],
  [
    "Content-Encoding of a file",
    uploadPath(),
    { method: "PUT", headers: { "content-encoding": "gzip" }, body: "x" },
    "Content-Encoding content-encoding",
  ],
  [
    "the boundary of a form",
    "/openapi/v1/files",
    post({ "content-type": "multipart/form-data; boundary=" }),
    "Content-Type form-boundary",
  ],
  ["a key of another environment", kyc, post(bearer(generateApiKey("live"))), "Authorization environment"],
  [
    "a platform that is not named",
    kyc,
    post({ ...json, ...bearer(internal) }),
    "X-Cardbridge-Platform platform-required",
  ],
])("%s", async (_name, path, init, wanted) => {
  expect(await pathsOf(path, init)).toContain(wanted);
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
