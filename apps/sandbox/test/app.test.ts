import { describe, expect, test } from "vitest";
import { runSandbox } from "./support/sandbox.ts";
import { sign } from "./support/sign.ts";
import { submission } from "./support/submission.ts";

const mebibyte = 1024 * 1024;

function stream(text: string): ReadableStream<Uint8Array> {
  return new Blob([text]).stream() as ReadableStream<Uint8Array>;
}

describe("the HTTP app", () => {
  test("returns 404 with an error body for an unknown route", async () => {
    const sandbox = await runSandbox();
    for (const [method, target] of [
      ["GET", "/"],
      ["GET", "/v1/nothing"],
      ["POST", "/v1/kyc/kyc_1"],
      ["DELETE", "/_cards"],
    ] as const) {
      expect(await sandbox.call(method, target)).toMatchObject({
        status: 404,
        body: { error: { code: "not_found" } },
      });
    }
  });

  test("returns 413 for a body over 1 MB, with or without Content-Length", async () => {
    const sandbox = await runSandbox();
    const long = "x".repeat(mebibyte + 1);
    for (const init of [{ body: long }, { body: stream(long), duplex: "half" } as RequestInit]) {
      const response = await fetch(`${sandbox.url}/v1/kyc/kyc_1`, { method: "PUT", ...init });
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({ error: { code: "too_large" } });
    }
    expect((await sandbox.get("kyc_1")).status).toBe(404);
  });

  test("reads a chunked body", async () => {
    const sandbox = await runSandbox();
    const body = JSON.stringify(submission());
    const headers = sign("PUT", "/v1/kyc/kyc_1", body, sandbox.clock.now / 1000);
    const init = { method: "PUT", headers, body: stream(body), duplex: "half" } as RequestInit;
    expect((await fetch(`${sandbox.url}/v1/kyc/kyc_1`, init)).status).toBe(200);
  });
});
