import type { Body } from "./call-result.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Parses a complete body as strict UTF-8 JSON. The errors of decoder and parser quote the body, so they are dropped. */
export function parseJsonBody(bytes: Uint8Array): Body {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { valid: false, reason: "not-utf8" };
  }
  try {
    return { valid: true, json: JSON.parse(text) };
  } catch {
    return { valid: false, reason: "not-json" };
  }
}
