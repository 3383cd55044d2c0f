import { type CallResult, type FailedCall, isAny2xx, type Reason, reasonOf } from "../http/call-result.ts";
import { readJson } from "../http/read-json.ts";
import { tokenAnswer } from "./wire.ts";

/** A token, or the result for the call that needs it. */
type TokenResult = { token: string } | { failed: FailedCall };

export interface Tokens {
  /** The current token. Concurrent callers share one login. Never rejects. */
  get(): Promise<TokenResult>;
  /** Discards a token that Airwallex rejected. A newer token is kept. */
  reject(token: string): void;
}

interface TokensOptions {
  /** Logs in under its own deadline. Never rejects. */
  login(): Promise<CallResult>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** A token is valid for 30 minutes (docs "API Access Token"). */
const maxLifetimeMs = 30 * 60_000;
/** Avoids a login for each call if the local clock differs from Airwallex's. */
const minLifetimeMs = 60_000;

/** Caches one token and renews it after two thirds of its lifetime. */
export function createTokens({ login, now }: TokensOptions): Tokens {
  let current: { token: string; renewAt: number } | undefined;
  let renewal: Promise<TokenResult> | undefined;

  async function renew(): Promise<TokenResult> {
    const result = await login();
    const isSuccess = result.kind === "response" && isAny2xx(result.status);
    const read = isSuccess ? readJson(result, tokenAnswer) : { reason: reasonOf(result) };
    if ("reason" in read) return { failed: withoutToken(result, read.reason) };
    const { token, expires_at } = read.data;
    current = { token, renewAt: now() + (lifetimeOf(expires_at, now()) * 2) / 3 };
    return { token };
  }

  return {
    async get() {
      if (current && now() < current.renewAt) return { token: current.token };
      renewal ??= renew().finally(() => {
        renewal = undefined;
      });
      return renewal;
    },
    reject(token) {
      if (current?.token === token) current = undefined;
    },
  };
}

/** The call that needs the token is not sent, whatever the result of the login was. */
function withoutToken({ kind }: CallResult, reason: Reason): FailedCall {
  const isOurs = kind === "circuit-open" || kind === "timeout";
  return { kind: isOurs ? kind : "connection-failed", reason, sent: false };
}

function lifetimeOf(expiresAt: unknown, now: number): number {
  const end = typeof expiresAt === "string" ? Date.parse(expiresAt) : Number.NaN;
  if (Number.isNaN(end)) return maxLifetimeMs;
  return Math.min(Math.max(end - now, minLifetimeMs), maxLifetimeMs);
}
