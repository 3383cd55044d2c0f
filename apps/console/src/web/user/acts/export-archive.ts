import type { RouterInputs } from "@cardbridge/trpc-client";
import { client } from "../../api/client.ts";

/** What was read so far. The service does not know in advance how much there is. */
export interface Progress {
  parts: number;
  bytes: number;
}

/** Reads a user's export part by part, and packs it as a ZIP archive in this page's memory. */
export async function exportArchive(
  of: Omit<RouterInputs["users"]["exportPart"], "index">,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<Progress & { archive: Blob }> {
  // The packer is loaded with the first export.
  const { Zip, ZipPassThrough } = await import("fflate");
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(new Uint8Array(chunk));
  });
  const progress = { parts: 0, bytes: 0 };
  for (let index: number | null = 0; index !== null; ) {
    const part: Awaited<ReturnType<typeof client.users.exportPart.mutate>> =
      await client.users.exportPart.mutate({ ...of, index }, { signal });
    if (part.name !== "") {
      const bytes = Uint8Array.from(atob(part.content), (character) => character.charCodeAt(0));
      const file = new ZipPassThrough(part.name);
      zip.add(file);
      file.push(bytes, true);
      progress.parts += 1;
      progress.bytes += bytes.length;
      onProgress({ ...progress });
    }
    index = part.next;
  }
  zip.end();
  return { ...progress, archive: new Blob(chunks, { type: "application/zip" }) };
}
