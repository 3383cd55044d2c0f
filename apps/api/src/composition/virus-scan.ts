import { createClamdScan } from "@cardbridge/files";
import type { Env } from "../config/env.ts";

/** How long the scan of a file may take, in milliseconds. */
const scanMs = 15_000;

/** The virus scan, where one is configured. */
export function virusScan({ CLAMD_URL: url }: Env) {
  return url === undefined ? undefined : createClamdScan({ url, timeoutMs: scanMs });
}
