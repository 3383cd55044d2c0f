import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { killGroup } from "../../../support/with-test.ts";
import { makeServerFolder } from "./account.ts";

/** A disk that can be full. Only programs that enter it see it, and it ends with the process that holds it. */
export interface Disk {
  folder: string;
  /** The command that runs a program where the disk is mounted. */
  enter: readonly string[];
  /** Writes until no byte is left. */
  fill(): Promise<void>;
  free(): Promise<void>;
}

const block = Buffer.alloc(1 << 20);

/** Makes a disk of this size in memory. Returns the reason if this user may mount none. */
export async function makeDisk(megabytes: number): Promise<Disk | string> {
  const folder = await makeServerFolder();
  const mount = `mount -t tmpfs -o size=${megabytes}m,mode=777 none ${folder}`;
  const isolate = ["unshare", "--mount", "--propagation", "private", "sh", "-c"];
  if (spawnSync("env", [...isolate, mount]).status !== 0) return "not run: this user may mount no disk";
  const holder = spawn("env", [...isolate, `${mount} && echo mounted && exec sleep infinity`], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => killGroup(holder.pid));
  await once(holder.stdout, "data");
  // The same folder, as the holder sees it.
  const filler = join(`/proc/${holder.pid}/root`, folder, "filler");
  return {
    folder,
    enter: ["nsenter", `--mount=/proc/${holder.pid}/ns/mnt`],
    async fill() {
      const file = await open(filler, "w");
      try {
        for (;;) await file.write(block);
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler),
  };
}
