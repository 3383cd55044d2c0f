import { createClamdScan } from "@cardbridge/files";
import type { Env } from "../config/env.ts";

/** The time limit of a scan, in milliseconds. */
const scanMs = 15_000;

/** Creates the virus scan, if it is configured. */
export function virusScan({ CLAMD_URL: url }: Env) {
  return url === undefined ? undefined : createClamdScan({ url, timeoutMs: scanMs });
}
