import { TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "./app-router.ts";
import type { PersonToken } from "./client.ts";
import { isHeaderWord } from "./header-word.ts";

type Context = Record<string, unknown>;

/**
 * A link that replaces the person of a query or a mutation by the person's token when the call starts. Later, a function
 * that reads the current request's person would return that of another request. A subscription keeps the function.
 */
export function resolvePersons(person: PersonToken | undefined): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) => {
      if (op.type === "subscription" || (op.context.person ?? person) === undefined) return next(op);
      return observable((observer) => {
        let unsubscribe: (() => void) | undefined;
        let left = false;
        personOf(op.context, person).then(
          (token) => {
            if (left) return;
            const resolved = next({ ...op, context: { ...op.context, person: token } });
            unsubscribe = resolved.subscribe(observer).unsubscribe;
          },
          (error: Error) => observer.error(TRPCClientError.from(error)),
        );
        return () => {
          left = true;
          unsubscribe?.();
        };
      });
    };
}

/**
 * The token of a call's own person, or of the client's; undefined for a call without a person.
 * @throws TypeError if it cannot be a token; the errors of the app's function
 */
export async function personOf(
  { person: own }: Context,
  person: PersonToken | undefined,
): Promise<string | undefined> {
  const source = own ?? person;
  const token: unknown = typeof source === "function" ? await source() : source;
  if (token === undefined) return undefined;
  // Otherwise fetch's own error would contain the token.
  if (typeof token !== "string" || !isHeaderWord(token)) {
    throw new TypeError("The person is not an access token.");
  }
  return token;
}

/** The header of a resolved person. */
export function personHeaders({ person }: Context): Record<string, string> {
  return typeof person === "string" ? { "X-Cardbridge-Person": person } : {};
}
