import * as z from "zod";
import { signInSeconds } from "../sessions/cookies.ts";
import { seal, unseal } from "../sessions/seal.ts";

/** A sign-in between the redirect to the issuer and the return from it. */
const pendingSignIn = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  fresh: z.boolean(),
  /** The hash of the id of the session that this sign-in replaces. */
  replaces: z.string().optional(),
  /** When it expires, in milliseconds. */
  until: z.number(),
});
export type PendingSignIn = z.output<typeof pendingSignIn>;

/**
 * Sign-ins under way, which anybody can start. The browser keeps each one, encrypted, so that starts cost neither memory nor
 * entries of the store.
 *
 * @param secret a text of high entropy that all processes have
 */
export function createPendingSignIns(secret: string, now: () => number) {
  return {
    /** The value of the cookie. */
    seal(begun: Omit<PendingSignIn, "until">): string {
      const value: PendingSignIn = { ...begun, until: now() + signInSeconds * 1_000 };
      return seal(secret, "sign-in", value).toString("base64url");
    },

    /** The sign-in in a cookie; undefined if it has expired, or no process sealed it. */
    open(cookie: string | undefined): PendingSignIn | undefined {
      if (cookie === undefined) return undefined;
      try {
        const begun = pendingSignIn.parse(unseal(secret, "sign-in", Buffer.from(cookie, "base64url")));
        return begun.until > now() ? begun : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
