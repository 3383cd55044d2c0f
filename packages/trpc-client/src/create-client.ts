import { createTRPCClient } from "@trpc/client";
import type { AppRouter } from "./app-router.ts";
import type { Client, PersonToken } from "./client.ts";
import { isHeaderWord } from "./header-word.ts";
import { linksTo } from "./links.ts";

/**
 * Creates the typed client for internal TypeScript apps. Queries that start in the same tick for one person share one
 * request. Each mutation has its own request, and its Idempotency-Key in `{ context: { idempotencyKey } }`. A
 * subscription reconnects and continues after the last event.
 *
 * @throws TypeError if the url is not an absolute http URL, or the apiKey or the platform cannot be one
 */
export function createClient({ url, apiKey, platform, person }: ClientOptions): Client {
  // Otherwise fetch's own error would contain the key.
  if (!isHeaderWord(apiKey)) throw new TypeError("The apiKey is not an API key.");
  if (platform !== undefined && !isHeaderWord(platform))
    throw new TypeError("The platform is not a platform's id.");
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(platform === undefined ? {} : { "X-Cardbridge-Platform": platform }),
  };
  return createTRPCClient<AppRouter>({ links: linksTo({ url: `${addressOf(url)}/trpc`, headers, person }) });
}

/** The address without a trailing slash. */
function addressOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlain =
    url && ["http:", "https:"].includes(url.protocol) && !url.username && !url.search && !url.hash;
  if (!isPlain) throw new TypeError("Pass the address of cardbridge as url, such as http://127.0.0.1:3000.");
  return url.href.endsWith("/") ? url.href.slice(0, -1) : url.href;
}

export interface ClientOptions {
  /** The address of cardbridge, such as `http://127.0.0.1:3000`. */
  url: string;
  /** The app's API key; keep it on a server. */
  apiKey: string;
  /** The platform of calls whose input has no `platformId`. Only for keys of internal apps (`cb_int_`). */
  platform?: string | undefined;
  /** The signed-in person of calls that name none in `{ context: { person } }`. Only for keys of internal apps. */
  person?: PersonToken | undefined;
}
