import { platformHeader } from "@cardbridge/domain";
import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";
import type { Problem } from "../../src/errors/problem.ts";
import type { AppRouter } from "../../src/trpc/router.ts";

interface Options {
  url: string;
  apiKey: string;
  /** The id of the platform that the calls are for, where the key is an internal app's. */
  platform?: string;
}

/** tRPC's own client with the types of the service's router. */
export function trpcClient({ url, apiKey, platform }: Options) {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(platform === undefined ? {} : { [platformHeader]: platform }),
  };
  return createTRPCClient<AppRouter>({ links: [httpLink({ url: `${url}/trpc`, headers })] });
}

/** The problem that a call failed with; undefined when it did not, or failed elsewhere. */
export async function problemIn(call: Promise<unknown>): Promise<Problem | undefined> {
  const error: unknown = await call.catch((reason: unknown) => reason);
  return error instanceof TRPCClientError ? (error as TRPCClientError<AppRouter>).data?.problem : undefined;
}
