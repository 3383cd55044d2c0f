import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder that somebody removes. */
export async function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "cardbridge-files-"));
}

/** A folder of the running test's own. */
export async function freshFolder(): Promise<string> {
  const folder = await newFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
