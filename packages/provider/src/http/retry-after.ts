import { parseRetryAfter } from "@cardbridge/egress";

const defaultSeconds = 5;
const minSeconds = 1;
const maxSeconds = 60;

/**
 * Reads a Retry-After header as whole seconds from 1 to 60. Returns 5 without a valid header.
 *
 * @param now milliseconds since 1970, for a header with a date
 */
export function retryAfterSeconds(header: string | undefined, now: number): number {
  const seconds = parseRetryAfter(header, now) ?? defaultSeconds;
  return Math.min(Math.max(seconds, minSeconds), maxSeconds);
}
