const httpDate = /^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;

const defaultSeconds = 5;
const minSeconds = 1;
const maxSeconds = 60;

/**
 * Reads a Retry-After header as whole seconds from 1 to 60. Without a valid header it is 5.
 *
 * @param now milliseconds since 1970, for a header with a date
 */
export function retryAfterSeconds(header: string | undefined, now: number): number {
  const seconds = parseSeconds(header?.trim() ?? "", now) ?? defaultSeconds;
  return Math.min(Math.max(seconds, minSeconds), maxSeconds);
}

function parseSeconds(header: string, now: number): number | undefined {
  if (/^[0-9]+$/.test(header)) return Number(header);
  if (!httpDate.test(header)) return undefined;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.ceil((date - now) / 1000);
}
