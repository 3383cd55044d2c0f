import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunningSandbox } from "./sandbox.ts";
import { until } from "./until.ts";

/** Waits until the journal contains this number of delivered events. */
export async function untilDelivered(sandbox: RunningSandbox, count: number): Promise<void> {
  const journal = () => readFile(join(sandbox.dataFolder, "journal.jsonl"), "utf8");
  await until(async () => (await journal()).split('"kind":"delivered"').length - 1 === count);
}
