import { appendFile, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createDataFolder, outcomes, runSandbox, submitAndDisconnect } from "../support/sandbox.ts";
import { submission } from "../support/submission.ts";

const journalOf = (dataFolder: string) => join(dataFolder, "journal.jsonl");

describe("durability", () => {
  test("a restart on the same folder restores the whole state", async () => {
    const before = await runSandbox();
    await before.submit("kyc_1", submission());
    // An entry is in the file before its response is sent.
    expect(await before.journal()).toContain('"executed"');
    await before.submit("kyc_2", submission("refused"));
    await before.submit("kyc_3", submission("error-500"));
    await submitAndDisconnect(before, "kyc_4", submission("timeout-before-effect"));
    await before.putCards([{ userReference: "usr_9", cardId: "card_9", status: "frozen" }]);
    const ledger = await before.ledger();
    await before.close();

    const after = await runSandbox({ dataFolder: before.dataFolder });
    expect(await after.ledger()).toEqual(ledger);
    expect((await after.list("userReference=usr_9")).body.total).toBe(1);
    expect((await after.get("kyc_2")).status).toBe(422);
    expect((await after.submit("kyc_3", submission("error-500"))).status).toBe(200);
    expect((await after.submit("kyc_4", submission("timeout-before-effect"))).status).toBe(200);
    expect((await after.submit("kyc_1", submission("approved"))).status).toBe(409);
    after.clock.now += 5_000;
    expect((await after.submit("kyc_1", submission())).body).toMatchObject({
      status: "approved",
      revision: 2,
    });
    expect(await outcomes(after, "kyc_1")).toEqual(["executed", "conflict", "repeated"]);
  });

  test("a partial last line is removed, and the next entry is complete", async () => {
    const before = await runSandbox();
    await before.submit("kyc_1", submission());
    await before.close();
    await appendFile(journalOf(before.dataFolder), '{"kind":"attempt","reference":"kyc_2","at":17');

    const after = await runSandbox({ dataFolder: before.dataFolder });
    expect((await after.get("kyc_1")).status).toBe(200);
    expect((await after.get("kyc_2")).status).toBe(404);
    await after.submit("kyc_3", submission());
    await after.close();

    const again = await runSandbox({ dataFolder: before.dataFolder });
    const references = (await again.ledger()).executions.map(
      ({ reference }: { reference: string }) => reference,
    );
    expect(references).toEqual(["kyc_1", "kyc_3"]);
  });

  test("another corrupt line is an error with its number, and the file stays unchanged", async () => {
    const before = await runSandbox();
    await before.submit("kyc_1", submission());
    await before.submit("kyc_2", submission());
    await before.close();
    const path = journalOf(before.dataFolder);
    const corrupt = (await readFile(path, "utf8")).replace('"kind":"attempt"', '"kind":"attemp');
    await writeFile(path, corrupt);

    await expect(runSandbox({ dataFolder: before.dataFolder })).rejects.toThrow(
      /journal\.jsonl: line 1 is corrupt/,
    );
    expect(await readFile(path, "utf8")).toBe(corrupt);
  });

  test("only the owner can read the folder and the file", async () => {
    const dataFolder = await createDataFolder();
    await runSandbox({ dataFolder });
    const path = journalOf(dataFolder);
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });
});
