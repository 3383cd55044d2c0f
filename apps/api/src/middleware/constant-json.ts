import type { Handler } from "hono";

/** Responds with a constant value, which is created and serialized on the first request. */
export function constantJson(create: () => unknown): Handler {
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  return (c) => {
    bytes ??= new TextEncoder().encode(JSON.stringify(create()));
    return c.body(bytes, 200, { "content-type": "application/json" });
  };
}
