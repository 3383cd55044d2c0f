const httpDate = /^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;

/**
 * Reads a Retry-After header as whole seconds; undefined without a valid header.
 *
 * @param now milliseconds since 1970, for a header with a date
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^[0-9]+$/.test(text)) return Number(text);
  if (!httpDate.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.ceil((date - now) / 1000);
}
