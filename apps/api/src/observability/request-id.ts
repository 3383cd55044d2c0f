import { randomUUID } from "node:crypto";

/** `req_…`: names one request in answers and logs. It is random and has no order. */
export const requestId = (): string => `req_${randomUUID().replaceAll("-", "").slice(-26)}`;
