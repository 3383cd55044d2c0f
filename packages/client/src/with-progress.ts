import type { UploadProgress } from "./options.ts";
import type { MakeBody } from "./request.ts";

const chunkBytes = 65_536;

/** Creates the body of a form that reports each chunk when the connection reads it. */
export async function withProgress(
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
