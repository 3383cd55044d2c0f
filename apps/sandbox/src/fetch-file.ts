import { createHash } from "node:crypto";
import type { FetchedFile } from "./entries.ts";
import { fileTypeOf, headBytes } from "./file-type.ts";
import type { Schedule } from "./schedule.ts";

const deadlineMs = 5_000;
const maxBytes = 15 * 1024 * 1024;

type Fetched = Omit<FetchedFile, "field">;

/** Fetches a file once, until a signal gives it up. What is wrong with it is its fault; never rejects. */
export type FetchFile = (url: string, signal: AbortSignal) => Promise<Fetched>;

/** Fetches within 5 s and 15 MB, without following redirects; of the bytes only length, hash and type are kept. */
export function createFetchFile(schedule: Schedule): FetchFile {
  return async (url, signal) => {
    if (!/^https?:$/.test(new URL(url).protocol)) return { fault: "is no http or https URL" };
    const late = new AbortController();
    const callOff = schedule(() => late.abort(), deadlineMs);
    let status: number | undefined;
    try {
      const response = await fetch(url, {
        redirect: "manual",
        signal: AbortSignal.any([signal, late.signal]),
      });
      status = response.status;
      if (status === 200) return { status, ...(await read(response.body ?? [])) };
      await response.body?.cancel();
      return { status, fault: `answered ${status} instead of 200` };
    } catch {
      return { status, fault: late.signal.aborted ? "took longer than 5 s" : "could not be fetched" };
    } finally {
      callOff();
    }
  };
}

async function read(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Fetched> {
  const hash = createHash("sha256");
  let head = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) return { fault: "is larger than 15 MB" };
    hash.update(chunk);
    if (head.length < headBytes) head = Buffer.concat([head, chunk]).subarray(0, headBytes);
  }
  return { size, sha256: hash.digest("hex"), contentType: fileTypeOf(head) };
}
