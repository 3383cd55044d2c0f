import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { test as plainTest } from "vitest";
import { type Embedded, startEmbedded } from "../../src/index.ts";

/** The data folder of one test. Every server on it is stopped after the test. */
export interface DataFolder {
  path: string;
  pidFile: string;
  start(onProgress?: (sentence: string) => void): Promise<Embedded>;
  /** Starts a server from another process. The server exits with that process unless `survives` is set. */
  startElsewhere(options?: { survives: boolean }): Promise<{ child: ChildProcess; ownerUrl: string }>;
  serverPid(): Promise<number>;
}

interface Fixtures {
  $test: {
    /** An empty folder. */
    folder: DataFolder;
    /** A folder with a database, on which no server runs. */
    used: DataFolder;
  };
  $file: { template: string };
}

export const test = plainTest.extend<Fixtures>({
  template: [
    // biome-ignore lint/correctness/noEmptyPattern: as below
    async ({}, use) => {
      const path = await newFolder();
      await (await startEmbedded({ folder: path })).stop();
      await use(path);
      await remove(path);
    },
    { scope: "file" },
  ],
  used: async ({ folder, template }, use) => {
    await cp(template, folder.path, { recursive: true });
    await use(folder);
  },
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures that it needs from the pattern
  folder: async ({}, use) => {
    const path = await newFolder();
    const cleanUp: (() => Promise<unknown>)[] = [];
    const pidFile = join(path, "postgres", "postmaster.pid");
    await use({
      path,
      pidFile,
      async start(onProgress) {
        const embedded = await startEmbedded({ folder: path, onProgress });
        cleanUp.push(embedded.stop);
        return embedded;
      },
      async startElsewhere({ survives } = { survives: false }) {
        // Without setpriv, the server is not signalled when its parent dies.
        if (survives) await writeFile(join(path, "setpriv"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
        const env = survives ? { ...process.env, PATH: `${path}:${process.env.PATH}` } : process.env;
        const script = fileURLToPath(new URL("./start-embedded.ts", import.meta.url));
        const child = spawn(process.execPath, [script, path], { env, stdio: ["ignore", "pipe", "inherit"] });
        cleanUp.push(() => kill(child));
        const [ownerUrl] = await once(child.stdout, "data");
        return { child, ownerUrl: String(ownerUrl) };
      },
      serverPid: async () => Number((await readFile(pidFile, "utf8")).split("\n")[0]),
    });
    for (const clean of cleanUp.reverse()) await clean();
    // A server whose process was killed may still be writing its last files.
    await remove(path);
  },
});

const newFolder = () => mkdtemp(join(tmpdir(), "cardbridge-embedded-"));
const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

export async function run(url: string, statement: string): Promise<unknown[]> {
  const client = new Client(url);
  try {
    await client.connect();
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

export async function writeNote(url: string): Promise<void> {
  await run(url, "create table notes (text text)");
  await run(url, "insert into notes values ('kept')");
}

export const readNotes = (url: string) => run(url, "select text from notes");
