import { randomBytes } from "node:crypto";
import type { Settings } from "../state/settings.ts";

export interface Tokens {
  /** Makes a token. Older ones stay valid. `expiresAt` is in milliseconds. */
  issue(): { token: string; expiresAt: number };
  stateOf(token: string): "valid" | "expired" | "unknown";
  /** Ends every token. */
  expireAll(): void;
  /** Whether one more login is within the limit of any 60 seconds; counts it. */
  countLogin(): boolean;
}

/** Keeps the tokens in memory, so that a restart ends them. */
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
