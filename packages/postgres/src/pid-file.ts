import { readFile } from "node:fs/promises";
import { codeOf } from "./error-code.ts";

/** The content of postmaster.pid, which a running server writes. */
export interface PidFile {
  pid: number;
  /** 0 until the server has written its port. */
  port: number;
  /** The whole text, which changes while the server starts and stops. */
  text: string;
}

/** Reads postmaster.pid; null if it does not exist. A killed server leaves its file behind. */
export async function readPidFile(path: string): Promise<PidFile | null> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  const [pid, , , port] = text.split("\n");
  return { pid: Number(pid), port: Number(port) || 0, text };
}
