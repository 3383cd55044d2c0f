import type { Problem } from "./app-router.ts";

/** Returns the problem that cardbridge returned; undefined for any other error, such as a network error. */
export function problemOf(error: unknown): Problem | undefined {
  // Not instanceof, because an app may have several copies of @trpc/client.
  const problem = fieldOf(fieldOf(error, "data"), "problem");
  return typeof fieldOf(problem, "code") === "string" ? (problem as Problem) : undefined;
}

/** A field of any value; undefined if the value has no such field. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
