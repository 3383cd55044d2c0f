import { describe, expect, test } from "vitest";
import { noon } from "../support/clock.ts";
import { runSandbox } from "../support/sandbox.ts";
import { sign } from "../support/sign.ts";
import { submission } from "../support/submission.ts";

const seconds = noon / 1000;
const target = "/v1/kyc/kyc_1";
const body = JSON.stringify(submission());
const valid = sign("PUT", target, body, seconds);
const list = sign("GET", "/v1/cards?userReference=usr_1", "", seconds);

describe("the request signature", () => {
  test.each([
    { what: "nothing", headers: {} },
    { what: "another secret", headers: sign("PUT", target, body, seconds, "another-secret") },
    { what: "another client", headers: { ...valid, "x-client-id": "another-client" } },
    {
      what: "another version",
      headers: { ...valid, "x-signature": valid["x-signature"].replace("v1", "v2") },
    },
    { what: "a fraction of a second", headers: { ...valid, "x-timestamp": `${seconds}.0` } },
    { what: "a time 301 s before", headers: sign("PUT", target, body, seconds - 301) },
    { what: "a time 301 s after", headers: sign("PUT", target, body, seconds + 301) },
    { what: "another body", headers: sign("PUT", target, `${body} `, seconds) },
    { what: "another method", headers: sign("GET", target, body, seconds) },
    { what: "another path", headers: sign("PUT", `${target}2`, body, seconds) },
  ])("is rejected with $what", async ({ headers }) => {
    const sandbox = await runSandbox();
    const response = await fetch(sandbox.url + target, { method: "PUT", headers, body });
    expect(response.status).toBe(401);
    const error = { code: "unauthenticated", message: expect.any(String) };
    expect(await response.json()).toEqual({ error });
    expect((await sandbox.ledger()).attempts).toEqual([]);
  });

  test("is accepted up to 300 s before or after the clock", async () => {
    const sandbox = await runSandbox();
    for (const distance of [-300, 300]) {
      const headers = sign("PUT", target, body, seconds + distance);
      expect((await fetch(sandbox.url + target, { method: "PUT", headers, body })).status).toBe(200);
    }
  });

  test("is about path and query as sent, without percent-decoding", async () => {
    const sandbox = await runSandbox();
    expect((await sandbox.get("kyc%5F%E4%BD%A0")).body).toMatchObject({ reference: "kyc_你" });
    expect((await sandbox.list("userReference=usr%5F1&x=%2F+")).status).toBe(404);
    for (const query of ["userReference=usr_2", "userReference=usr%5F1"])
      expect((await fetch(`${sandbox.url}/v1/cards?${query}`, { headers: list })).status).toBe(401);
  });
});
