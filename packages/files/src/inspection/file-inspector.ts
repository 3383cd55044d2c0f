import { acceptsPdf, type FileInspector } from "@cardbridge/domain";
import { createDecoders, type DecodersOptions } from "./decoders.ts";
import { detectFileKind } from "./file-type.ts";
import { fileViolation } from "./violation.ts";

/** Resolves for a clean file. @throws Failure file-infected, or SERVICE_UNAVAILABLE when the scan fails */
export type Scan = (bytes: Uint8Array) => Promise<void>;

/** Runs `work` when the platform may use a decoder. It may wait, or reject with a Failure. */
export type RunInSlot = <T>(platformId: string, work: () => Promise<T>) => Promise<T>;

export interface FileInspectorOptions extends DecodersOptions {
  /** Scans the uploaded bytes before any decoder reads them. */
  scan?: Scan | undefined;
  /** Distributes the decoders among platforms. By default, files are decoded in the order of their arrival. */
  runInSlot?: RunInSlot;
}

/** An inspector that owns child processes. */
export interface ClosableFileInspector extends FileInspector {
  /** Ends the decoder processes. */
  close(): void;
}

/**
 * Creates the inspector of uploaded files. It re-encodes images. It renders the pages of a PDF that people will see, so
 * that a page over the limits is refused here, and returns the PDF unchanged.
 */
export function createFileInspector({
  scan,
  runInSlot = (_, work) => work(),
  ...options
}: FileInspectorOptions = {}): ClosableFileInspector {
  const decoders = createDecoders(options);

  return {
    async inspect(bytes, purpose, platformId) {
      const kind = await detectFileKind(bytes);
      if (kind === "pdf" && !acceptsPdf(purpose)) throw fileViolation("file-purpose");
      await scan?.(bytes);
      let decoded = await runInSlot(platformId, () => decoders.decode(kind, bytes));
      // Each part of a PDF takes a slot of its own, so that other files do not wait for all pages.
      while ("nextPage" in decoded) {
        const { nextPage } = decoded;
        if (nextPage === null) return { contentType: "application/pdf", bytes };
        decoded = await runInSlot(platformId, () => decoders.decode(kind, bytes, nextPage));
      }
      return decoded;
    },
    close: () => decoders.close(),
  };
}
