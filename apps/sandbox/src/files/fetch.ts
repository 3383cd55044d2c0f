import { createHash } from "node:crypto";
import { type StartTimer, withDeadline } from "../timers.ts";
import type { FetchedFile } from "./fetched-file.ts";
import { fileTypeOf, headBytes } from "./file-type.ts";

const maxBytes = 15 * 1024 * 1024;

type FetchResult = Omit<FetchedFile, "field">;

/** Fetches a file once, until the signal aborts. A failure is the `fault` of the result; it never rejects. */
export type FetchFile = (url: string, signal: AbortSignal) => Promise<FetchResult>;

/** Fetches up to 15 MB within 5 s and does not follow redirects. Returns only the size, the hash and the type. */
export function createFetchFile(startDeadline: StartTimer): FetchFile {
  return async (url, caller) => {
    if (!/^https?:$/.test(new URL(url).protocol)) return { fault: "is not an http or https URL" };
    return withDeadline(startDeadline, caller, async (signal) => {
      let status: number | undefined;
      try {
        const response = await fetch(url, { redirect: "manual", signal });
        status = response.status;
        if (status === 200) return { status, ...(await read(response.body ?? [])) };
        await response.body?.cancel();
        return { status, fault: `returned ${status} instead of 200` };
      } catch {
        const isLate = signal.aborted && !caller.aborted;
        return { status, fault: isLate ? "took longer than 5 s" : "could not be fetched" };
      }
    });
  };
}

async function read(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<FetchResult> {
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
