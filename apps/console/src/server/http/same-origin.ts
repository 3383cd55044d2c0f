import type { Context } from "hono";

/** The header that only the console's own script sends: a form, an image or a link cannot. */
const consoleHeader = "x-cardbridge-console";

/**
 * Whether the console's own page makes the request. Browsers set Sec-Fetch-Site themselves; a service on another port of
 * this host is `same-site`. A write must also have the exact Origin.
 */
export function isFromConsole(c: Context, publicUrl: string): boolean {
  if (c.req.header("sec-fetch-site") !== "same-origin" || !c.req.header(consoleHeader)) return false;
  const origin = c.req.header("origin");
  return c.req.method === "GET" ? origin === undefined || origin === publicUrl : origin === publicUrl;
}

/** Whether the request is an act of the person. The page marks what it refreshes by itself as `background`. */
export const isAct = (c: Context): boolean => c.req.header(consoleHeader) !== "background";
