import { TRPCClientError } from "@trpc/client";
import type { AppRouter, Problem } from "./app-router.ts";

/** Returns the problem that cardbridge returned; undefined for any other error, such as a network error. */
export function problemOf(error: unknown): Problem | undefined {
  return error instanceof TRPCClientError ? (error as TRPCClientError<AppRouter>).data?.problem : undefined;
}
