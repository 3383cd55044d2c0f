import { platformHeader } from "@cardbridge/domain";
import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";
import type { Problem } from "./problem.ts";
import type { AppRouter } from "./trpc/router.ts";

export type { Problem } from "./problem.ts";

/**
 * The typed client for internal TypeScript apps.
 *
 * @param options.url where cardbridge runs, such as `http://127.0.0.1:3000`
 * @param options.apiKey the app's API key; keep it on a server
 * @param options.platform the id of the platform that the calls are for, where the key is a `cb_int_` one
 */
export function createClient({ url, apiKey, platform }: ClientOptions) {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(platform === undefined ? {} : { [platformHeader]: platform }),
  };
  return createTRPCClient<AppRouter>({
    links: [httpLink({ url: `${url.replace(/\/$/, "")}/trpc`, headers })],
  });
}

interface ClientOptions {
  url: string;
  apiKey: string;
  platform?: string | undefined;
}

/** The problem that cardbridge answered with; undefined when the error came from elsewhere, such as the network. */
export function problemOf(error: unknown): Problem | undefined {
  return error instanceof TRPCClientError ? (error as TRPCClientError<AppRouter>).data?.problem : undefined;
}
