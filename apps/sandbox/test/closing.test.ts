import { describe, expect, test } from "vitest";
import { runSandbox } from "./support/sandbox.ts";
import { submission } from "./support/submission.ts";
import { until } from "./support/until.ts";

describe("closing", () => {
  test("ends connections that are never answered, answered slowly, or kept alive", async () => {
    const sandbox = await runSandbox({ slowMs: 600_000 });
    const waiting = [
      sandbox.submit("kyc_1", submission("timeout-after-effect")),
      sandbox.submit("kyc_2", submission("timeout-before-effect")),
      sandbox.submit("kyc_3", submission("slow")),
    ].map((answer) => answer.then(() => "answered").catch(() => "cut"));
    await until(async () => (await sandbox.ledger()).attempts.length === 3);

    await sandbox.close();
    expect(await Promise.all(waiting)).toEqual(["cut", "cut", "cut"]);
    await expect(fetch(`${sandbox.url}/_ledger`)).rejects.toThrow();
  });

  test("may be asked for twice", async () => {
    const sandbox = await runSandbox();
    await Promise.all([sandbox.close(), sandbox.close()]);
    await sandbox.close();
  });
});
