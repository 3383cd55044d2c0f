import { createClamdScan } from "@cardbridge/files";
import type { Env } from "../config/env.ts";

/** For so long a file's scan may take, in milliseconds. */
const scanMs = 15_000;

/** The virus scan, where one is configured. */
export function scanOf({ CLAMD_URL: url }: Env) {
  return url === undefined ? undefined : createClamdScan({ url, timeoutMs: scanMs });
}
