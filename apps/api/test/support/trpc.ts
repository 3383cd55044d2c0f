import { personHeader, platformHeader } from "@cardbridge/domain";
import { createTRPCClient, httpLink, TRPCClientError } from "@trpc/client";
import type { Problem } from "../../src/http/errors/problem.ts";
import type { AppRouter } from "../../src/trpc/router.ts";

interface Options {
  url: string;
  apiKey: string;
  /** The platform of the calls, for a key of an internal app. */
  platform?: string;
  /** The access token of a person. */
  person?: string | undefined;
}

/** tRPC's own client with the types of the service's router. */
export function trpcClient({ url, apiKey, platform, person }: Options) {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(platform === undefined ? {} : { [platformHeader]: platform }),
    ...(person === undefined ? {} : { [personHeader]: person }),
  };
  return createTRPCClient<AppRouter>({ links: [httpLink({ url: `${url}/trpc`, headers })] });
}

/** The problem of a failed call; undefined for a success or another error. */
export async function problemIn(call: Promise<unknown>): Promise<Problem | undefined> {
  const error: unknown = await call.catch((reason: unknown) => reason);
  return error instanceof TRPCClientError ? (error as TRPCClientError<AppRouter>).data?.problem : undefined;
}
