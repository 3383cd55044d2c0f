import { describe, expect, test } from "vitest";
import { noon } from "../support/clock.ts";
import { type RunningSandbox, runSandbox } from "../support/sandbox.ts";
import { sign } from "../support/sign.ts";
import { submission } from "../support/submission.ts";

const seconds = noon / 1000;
const target = "/v1/kyc/kyc_1";
const body = JSON.stringify(submission());

function put(sandbox: RunningSandbox, headers: Record<string, string>, sent = body) {
  return fetch(sandbox.url + target, { method: "PUT", headers, body: sent });
}

async function expectUnauthenticated(response: Response) {
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({
    error: { code: "unauthenticated", message: expect.any(String) },
  });
}

describe("the request signature", () => {
  test("accepts a valid signature", async () => {
    const sandbox = await runSandbox();
    expect((await put(sandbox, sign("PUT", target, body, seconds))).status).toBe(200);
  });

  test("refuses a missing signature, another secret, another client and another version", async () => {
    const sandbox = await runSandbox();
    const good = sign("PUT", target, body, seconds);
    await expectUnauthenticated(await put(sandbox, {}));
    await expectUnauthenticated(await put(sandbox, sign("PUT", target, body, seconds, "another-secret")));
    await expectUnauthenticated(await put(sandbox, { ...good, "x-client-id": "another-client" }));
    await expectUnauthenticated(
      await put(sandbox, { ...good, "x-signature": good["x-signature"].replace("v1=", "v2=") }),
    );
    await expectUnauthenticated(await put(sandbox, { ...good, "x-timestamp": `${seconds}.0` }));
    expect((await sandbox.ledger()).attempts).toEqual([]);
  });

  test("accepts a timestamp up to 300 s before or after the clock", async () => {
    const sandbox = await runSandbox();
    for (const distance of [-300, 300]) {
      expect((await put(sandbox, sign("PUT", target, body, seconds + distance))).status).toBe(200);
    }
    for (const distance of [-301, 301]) {
      await expectUnauthenticated(await put(sandbox, sign("PUT", target, body, seconds + distance)));
    }
  });

  test("refuses another body, method, path or query than the signed one", async () => {
    const sandbox = await runSandbox();
    await expectUnauthenticated(await put(sandbox, sign("PUT", target, body, seconds), `${body} `));
    await expectUnauthenticated(await put(sandbox, sign("GET", target, body, seconds)));
    await expectUnauthenticated(await put(sandbox, sign("PUT", `${target}2`, body, seconds)));

    const headers = sign("GET", "/v1/cards?userReference=usr_1", "", seconds);
    await expectUnauthenticated(await fetch(`${sandbox.url}/v1/cards?userReference=usr_2`, { headers }));
    await expectUnauthenticated(await fetch(`${sandbox.url}/v1/cards?userReference=usr%5F1`, { headers }));
  });

  test("verifies path and query as sent, without percent-decoding", async () => {
    const sandbox = await runSandbox();
    expect((await sandbox.get("kyc%5F%E4%BD%A0")).body).toMatchObject({ reference: "kyc_你" });
    expect((await sandbox.list("userReference=usr%5F1&x=%2F+")).status).toBe(404);
  });
});
