import { readFile } from "node:fs/promises";

/** What a running server wrote into postmaster.pid. */
export interface PidFile {
  pid: number;
  /** 0 while the server has not written it yet. */
  port: number;
  /** The whole content; it changes as the server starts and stops. */
  text: string;
}

/** Reads postmaster.pid; null when there is none. That there is one does not mean that a server runs. */
export async function readPidFile(path: string): Promise<PidFile | null> {
  const text = await readFile(path, "utf8").catch((error) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const [pid, , , port] = text.split("\n");
  return { pid: Number(pid), port: Number(port) || 0, text };
}
