import type { Handler } from "hono";

/** Answers with a value that never changes: made when it is first asked for, and the same bytes for everyone. */
export function constantJson(make: () => unknown): Handler {
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  return (c) => {
    bytes ??= new TextEncoder().encode(JSON.stringify(make()));
    return c.body(bytes, 200, { "content-type": "application/json" });
  };
}
