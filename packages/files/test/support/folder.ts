import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Creates a temporary folder. The caller removes it. */
export async function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "cardbridge-files-"));
}

/** Creates a temporary folder and removes it after the test. */
export async function createTempFolder(): Promise<string> {
  const folder = await makeFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
