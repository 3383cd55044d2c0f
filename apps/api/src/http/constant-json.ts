import type { Handler } from "hono";

/** Answers with a value that never changes: written once, and the same bytes for everyone. */
export function constantJson(value: unknown): Handler {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return (c) => c.body(bytes, 200, { "content-type": "application/json" });
}
