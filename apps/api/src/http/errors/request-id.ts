import { randomUUID } from "node:crypto";

/** Creates a random request id, `req_…`, for responses and logs. */
export const requestId = (): string => `req_${randomUUID().replaceAll("-", "").slice(-26)}`;
