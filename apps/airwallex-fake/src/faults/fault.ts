import * as z from "zod";

const common = {
  /** The number of requests that get the fault. */
  times: z.int().positive().default(1),
  /** The method of these requests. Default: any. */
  method: z.enum(["GET", "POST"]).optional(),
  /** The prefix of their path. Default: any. */
  path: z.string().optional(),
  /** The number of matching requests that pass first. */
  skip: z.int().min(0).default(0),
};

/** Whether the request takes effect before the fault. */
const after = z.boolean().default(false);

/** A fault of the next matching requests. */
export const faultSchema = z.discriminatedUnion("kind", [
  /** No response; the connection stays open. */
  z.strictObject({ ...common, kind: z.literal("timeout"), after }),
  /** The connection is reset. */
  z.strictObject({ ...common, kind: z.literal("reset"), after }),
  /** A response with this status and body. The default body is an error of Airwallex. */
  z.strictObject({
    ...common,
    kind: z.literal("answer"),
    after,
    status: z.int().min(200).max(599),
    body: z.unknown().optional(),
    headers: z.record(z.string(), z.string()).default({}),
  }),
  /** The real response with these fields replaced or added. */
  z.strictObject({ ...common, kind: z.literal("merge"), fields: z.record(z.string(), z.unknown()) }),
  /** An HTML page with this status. */
  z.strictObject({
    ...common,
    kind: z.literal("html"),
    after,
    status: z.int().min(200).max(599).default(200),
  }),
  /** 429, with `Retry-After` if it has seconds. */
  z.strictObject({ ...common, kind: z.literal("rate_limit"), retryAfterSeconds: z.int().min(0).optional() }),
  /** 401, and every token expires. */
  z.strictObject({ ...common, kind: z.literal("expired_token") }),
  /** The effect, then half of the response, then the connection closes. */
  z.strictObject({ ...common, kind: z.literal("truncated") }),
  /** The effect, then the response byte by byte. */
  z.strictObject({ ...common, kind: z.literal("slow"), byteMs: z.int().min(1).default(50) }),
]);

export type Fault = z.infer<typeof faultSchema>;
