import { TRPCClientError } from "@trpc/client";
import type { AppRouter, Problem } from "./app-router.ts";

/** The problem that cardbridge answered with; undefined when the error came from elsewhere, such as the network. */
export function problemOf(error: unknown): Problem | undefined {
  return error instanceof TRPCClientError ? (error as TRPCClientError<AppRouter>).data?.problem : undefined;
}
