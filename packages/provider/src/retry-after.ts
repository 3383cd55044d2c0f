const httpDate = /^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;

const unsaid = 5;
const longest = 60;

/**
 * A Retry-After header in whole seconds, 1 to 60; 5 when there is none or it cannot be read.
 *
 * @param now milliseconds since 1970, for a header that holds a date
 */
export function retryAfterSeconds(header: string | undefined, now: number): number {
  return Math.min(Math.max(secondsIn(header?.trim() ?? "", now) ?? unsaid, 1), longest);
}

function secondsIn(header: string, now: number): number | undefined {
  if (/^[0-9]+$/.test(header)) return Number(header);
  if (!httpDate.test(header)) return undefined;
  const moment = Date.parse(header);
  return Number.isNaN(moment) ? undefined : Math.ceil((moment - now) / 1000);
}
