/** The content of a file: bytes, a Blob or File, or a stream of bytes of the web or of Node. */
export type FileSource =
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

/** Reads a source to its end. @throws the error of the stream. */
export async function readSource(source: FileSource): Promise<Blob> {
  if (source instanceof Blob) return source;
  if (source instanceof ReadableStream) return new Response(source).blob();
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source))
    return new Blob([source as Uint8Array<ArrayBuffer>]);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of source) chunks.push(chunk as Uint8Array<ArrayBuffer>);
  return new Blob(chunks);
}
