import { readSource } from "./file-source.ts";
import type { CallOptions, UploadProgress } from "./options.ts";
import type { MakeBody, Send } from "./request.ts";
import type { FileUpload, UploadedFile } from "./types.ts";

const chunkBytes = 65_536;

/** Uploads take longer than other calls. */
const uploadDefaults = { timeoutMs: 300_000, attemptTimeoutMs: 120_000 };

/** The operations on files. */
export interface Files {
  /**
   * Uploads a file of a submission. A stream is read to its end first, because a retry sends the bytes again.
   * Send the `url` of the result in the submission.
   */
  upload(upload: FileUpload, options?: UploadOptions): Promise<UploadedFile>;
}

export interface UploadOptions extends CallOptions {
  /** Reports the bytes of the body that were passed to the connection. A retry starts again at 0. */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
}

export function createFiles(send: Send): Files {
  return {
    async upload({ purpose, file }, { onProgress, signal, timeoutMs = uploadDefaults.timeoutMs } = {}) {
      const form = new FormData();
      form.set("purpose", purpose);
      form.set("file", await readSource(file), "file");
      const body = onProgress ? await withProgress(form, onProgress) : () => ({ init: { body: form } });
      const { attemptTimeoutMs } = uploadDefaults;
      return send({ method: "POST", path: "/files", body }, { signal, timeoutMs, attemptTimeoutMs });
    },
  };
}

/** Creates the body of a form that reports each chunk when the connection reads it. */
async function withProgress(
  form: FormData,
  onProgress: (progress: UploadProgress) => void,
): Promise<MakeBody> {
  // The runtime encodes the form. The content type contains the boundary.
  const encoded = new Response(form);
  const headers = { "content-type": encoded.headers.get("content-type") ?? "" };
  const bytes = new Uint8Array(await encoded.arrayBuffer());
  return () => {
    // fetch requires `duplex` for a stream.
    return { init: { body: chunks(bytes, onProgress), duplex: "half" }, headers };
  };
}

function chunks(bytes: Uint8Array, onProgress: (progress: UploadProgress) => void) {
  let loaded = 0;
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        const chunk = bytes.slice(loaded, loaded + chunkBytes) as Uint8Array<ArrayBuffer>;
        loaded += chunk.byteLength;
        onProgress({ loaded, total: bytes.byteLength });
        controller.enqueue(chunk);
        if (loaded === bytes.byteLength) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
