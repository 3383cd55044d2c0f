import { createTRPCClient } from "@trpc/client";
import type { AppRouter } from "./app-router.ts";
import type { Client } from "./client.ts";
import { linksTo } from "./links.ts";

/**
 * Creates the typed client for a web page whose own server forwards the calls to cardbridge. The server adds the API key
 * and the person; the page sends its cookies of the same origin, and `headers`, also with subscriptions.
 *
 * @throws TypeError outside a browser, or if the path is on another origin
 */
export function createBrowserClient({ path, headers = {} }: BrowserClientOptions): Client {
  const { location } = globalThis as { location?: { href: string; origin: string } };
  if (!location) throw new TypeError("createBrowserClient needs a browser. On a server, use createClient.");
  const { origin, pathname } = new URL(path, location.href);
  if (origin !== location.origin) throw new TypeError("The path must be on the page's own origin.");
  const url = `${origin}${pathname.replace(/\/$/, "")}/trpc`;
  return createTRPCClient<AppRouter>({ links: linksTo({ url, headers: { ...headers } }) });
}

export interface BrowserClientOptions {
  /** The path on the page's own server, such as `/api`; it forwards `/api/trpc/…` to `/trpc/…`. */
  path: string;
  /** Headers of every request, for example one that a page of another origin cannot send without CORS. */
  headers?: Readonly<Record<string, string>>;
}
