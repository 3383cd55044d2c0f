import { randomBytes } from "node:crypto";
import type { Settings } from "../state/settings.ts";

export interface Tokens {
  /** Creates a token. Older tokens stay valid. `expiresAt` is in milliseconds since 1970. */
  issue(): { token: string; expiresAt: number };
  stateOf(token: string): "valid" | "expired" | "unknown";
  /** Expires every token. */
  expireAll(): void;
  /** Counts a login. Returns whether it is within the limit of the last 60 seconds. */
  countLogin(): boolean;
}

/** Creates a store of tokens in memory. A restart deletes them. */
export function createTokens(settings: Settings, now: () => number): Tokens {
  const expiries = new Map<string, number>();
  let logins: number[] = [];
  return {
    issue() {
      const token = randomBytes(32).toString("base64url");
      const expiresAt = now() + settings.tokenSeconds * 1_000;
      expiries.set(token, expiresAt);
      return { token, expiresAt };
    },
    stateOf(token) {
      const expiry = expiries.get(token);
      if (expiry === undefined) return "unknown";
      return expiry > now() ? "valid" : "expired";
    },
    expireAll() {
      for (const token of expiries.keys()) expiries.set(token, 0);
    },
    countLogin() {
      logins = [...logins.filter((at) => at > now() - 60_000), now()];
      return logins.length <= settings.loginsPerMinute;
    },
  };
}
