import { describe, expect, test } from "vitest";
import { runSandbox } from "./support/sandbox.ts";
import { submission } from "./support/submission.ts";
import { until } from "./support/until.ts";

describe("Sandbox.close", () => {
  test("ends connections without a response, with a slow response, or kept alive", async () => {
    const sandbox = await runSandbox({ slowMs: 600_000 });
    const responses = [
      sandbox.submit("kyc_1", submission("timeout-after-effect")),
      sandbox.submit("kyc_2", submission("timeout-before-effect")),
      sandbox.submit("kyc_3", submission("slow")),
    ].map((response) => response.then(() => "answered").catch(() => "closed"));
    await until(async () => (await sandbox.ledger()).attempts.length === 3);

    await sandbox.close();
    expect(await Promise.all(responses)).toEqual(["closed", "closed", "closed"]);
    await expect(fetch(`${sandbox.url}/_ledger`)).rejects.toThrow();
  });

  test("can be called again", async () => {
    const sandbox = await runSandbox();
    await Promise.all([sandbox.close(), sandbox.close()]);
    await sandbox.close();
  });
});

describe("startSandbox", () => {
  test("starts sandboxes with separate state", async () => {
    const [one, other] = [await runSandbox(), await runSandbox()];
    await one.submit("kyc_1", submission());
    expect((await other.get("kyc_1")).status).toBe(404);
  });

  test("rejects when the port is taken", async () => {
    const { port } = await runSandbox();
    await expect(runSandbox({ port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });
});
