import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { waitWhileOpen } from "../src/http/connection.ts";
import { runSandbox, until } from "./support/sandbox.ts";
import { sign } from "./support/sign.ts";
import { submission } from "./support/submission.ts";

const stream = (text: string) => new Blob([text]).stream() as ReadableStream<Uint8Array>;

describe("the HTTP app", () => {
  test("returns 404 with an error body for an unknown route", async () => {
    const sandbox = await runSandbox();
    for (const [method, target] of [
      ["GET", "/v1/nothing"],
      ["POST", "/v1/kyc/kyc_1"],
      ["DELETE", "/_cards"],
    ] as const) {
      const notFound = { status: 404, body: { error: { code: "not_found" } } };
      expect(await sandbox.call(method, target)).toMatchObject(notFound);
    }
  });

  test("returns 413 for a body over 1 MB, with or without Content-Length, and reads a chunked body", async () => {
    const sandbox = await runSandbox();
    const put = (init: RequestInit) =>
      fetch(`${sandbox.url}/v1/kyc/kyc_1`, { method: "PUT", duplex: "half", ...init } as RequestInit);
    const long = "x".repeat(1024 * 1024 + 1);
    for (const body of [long, stream(long)]) {
      const response = await put({ body });
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({ error: { code: "too_large" } });
    }
    const body = JSON.stringify(submission());
    const headers = sign("PUT", "/v1/kyc/kyc_1", body, sandbox.clock.now / 1000);
    expect((await put({ headers, body: stream(body) })).status).toBe(200);
  });
});

describe("a sandbox", () => {
  test("ends connections without a response, with a slow response, or kept alive, when it is closed", async () => {
    const sandbox = await runSandbox({ slowMs: 600_000 });
    const responses = ["timeout-after-effect", "timeout-before-effect", "slow"].map((tag) =>
      sandbox.submit(tag, submission(tag)).then(
        () => "answered",
        () => "closed",
      ),
    );
    await until(async () => (await sandbox.ledger()).attempts.length === 3);
    await Promise.all([sandbox.close(), sandbox.close()]);
    expect(await Promise.all(responses)).toEqual(["closed", "closed", "closed"]);
    await expect(fetch(`${sandbox.url}/_ledger`)).rejects.toThrow();
  });

  test("has its own state and port", async () => {
    const [first, second] = [await runSandbox(), await runSandbox()];
    await first.submit("kyc_1", submission());
    expect((await second.get("kyc_1")).status).toBe(404);
    await expect(runSandbox({ port: first.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  test("waits with a slow response only while its connection is open", async () => {
    const outgoing = new ServerResponse(new IncomingMessage(new Socket()));
    const waiting = waitWhileOpen(outgoing, 86_400_000);
    outgoing.emit("close");
    await waiting;
    expect(outgoing.listenerCount("close")).toBe(0);
  });
});
