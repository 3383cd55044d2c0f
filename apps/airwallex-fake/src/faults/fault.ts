import * as z from "zod";

const common = {
  /** How many requests it meets. */
  times: z.int().positive().default(1),
  /** The method that it waits for. Default: any. */
  method: z.enum(["GET", "POST"]).optional(),
  /** The start of the path that it waits for. Default: any. */
  path: z.string().optional(),
  /** Requests that it lets pass first. */
  skip: z.int().min(0).default(0),
};

/** Whether the request has its effect before the fault. */
const after = z.boolean().default(false);

/** What goes wrong with the next requests. */
export const faultSchema = z.discriminatedUnion("kind", [
  /** There is no answer, and the connection stays open. */
  z.strictObject({ ...common, kind: z.literal("timeout"), after }),
  /** The connection is reset. */
  z.strictObject({ ...common, kind: z.literal("reset"), after }),
  /** An answer with this status and body. Without a body, it is an error of Airwallex. */
  z.strictObject({
    ...common,
    kind: z.literal("answer"),
    after,
    status: z.int().min(200).max(599),
    body: z.unknown().optional(),
    headers: z.record(z.string(), z.string()).default({}),
  }),
  /** The real answer with these fields over its own. */
  z.strictObject({ ...common, kind: z.literal("merge"), fields: z.record(z.string(), z.unknown()) }),
  /** A page of HTML with this status. */
  z.strictObject({
    ...common,
    kind: z.literal("html"),
    after,
    status: z.int().min(200).max(599).default(200),
  }),
  /** 429, with `Retry-After` if it has seconds. */
  z.strictObject({ ...common, kind: z.literal("rate_limit"), retryAfterSeconds: z.int().min(0).optional() }),
  /** 401, and every token ends. */
  z.strictObject({ ...common, kind: z.literal("expired_token") }),
  /** The effect, then half of the answer, then a reset. */
  z.strictObject({ ...common, kind: z.literal("truncated") }),
  /** The effect, then the answer byte by byte. */
  z.strictObject({ ...common, kind: z.literal("slow"), byteMs: z.int().min(1).default(50) }),
]);

export type Fault = z.infer<typeof faultSchema>;
