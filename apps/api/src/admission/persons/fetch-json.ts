import { ReasonError } from "@cardbridge/domain";

/** The maximum size of a response, in bytes. Documents of issuers have a few kilobytes. */
const maxBytes = 262_144;

/** Reads a JSON document of the issuer. Throws if it cannot be read before the signal aborts, or is too large. */
export type FetchJson = (url: string, signal: AbortSignal) => Promise<unknown>;

/** Follows no redirect: the configuration names the issuer. */
export const fetchJson: FetchJson = async (url, signal) => {
  const response = await fetch(url, { signal, redirect: "error", headers: { accept: "application/json" } });
  if (response.status !== 200) throw new ReasonError(`status-${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new ReasonError("too-large");
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
};
