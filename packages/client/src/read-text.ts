/** The maximum length of a response in bytes. The longest response of cardbridge is far below it. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Reads a response to its end. Returns undefined for a longer one than the maximum, and ends its download.
 * @throws if the connection is lost before the end.
 */
export async function readText(response: Response): Promise<string | undefined> {
  if (!response.body) return response.text();
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(next.value, { stream: true });
  }
  return text + decoder.decode();
}
