import type { Body } from "./outcome.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads a whole body as strict UTF-8 JSON. What a decoder or parser says of it is dropped: it quotes. */
export function readBody(bytes: Uint8Array): Body {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { readable: false, reason: "not-utf8" };
  }
  try {
    return { readable: true, json: JSON.parse(text) };
  } catch {
    return { readable: false, reason: "not-json" };
  }
}
