import { setTimeout as wait } from "node:timers/promises";
import type { IdentityProvider } from "../auth/identity-provider.ts";
import type { Metrics } from "../http/metrics.ts";
import { hashOf } from "../sessions/seal.ts";
import type { OpenSession, Sessions } from "../sessions/sessions.ts";

/** How long a renewal of tokens may take before another process tries, in seconds. */
const renewalSeconds = 10;

/** The tokens must be renewed, and the issuer does not answer. */
export class IssuerUnavailable extends Error {}

interface Options {
  sessions: Sessions;
  identityProvider: Pick<IdentityProvider, "renew">;
  metrics?: Pick<Metrics, "renewal"> | undefined;
  now: () => number;
  /** How often a call looks for another call's renewal, in milliseconds. */
  pollMs?: number;
}

/**
 * Finds sessions, and renews their access tokens before they expire. The returned function throws IssuerUnavailable.
 */
export function createCurrentSession(options: Options) {
  const { sessions, identityProvider, metrics, now, pollMs = 100 } = options;
  return async (id: string | undefined, { act }: { act: boolean }): Promise<OpenSession | undefined> => {
    const found = await sessions.find(id, { act });
    if (!found || found.tokens.expiresAt > now()) return found;
    return renew(found);
  };

  /** One renewal at a time: an issuer that rotates refresh tokens ends the session if one is used twice. */
  async function renew(old: OpenSession): Promise<OpenSession | undefined> {
    const { refresh } = old.tokens;
    if (refresh === undefined) return end(old);
    if (!(await sessions.once(`renew:${refresh}`, renewalSeconds))) return renewedByOther(old);
    const tokens = await identityProvider.renew({ ...old.tokens, refresh }).catch(async (error: unknown) => {
      metrics?.renewal("unavailable");
      // The next call tries again: the person stays signed in while the issuer is away.
      await sessions.again(`renew:${refresh}`);
      throw new IssuerUnavailable("The issuer did not renew the tokens.", { cause: error });
    });
    metrics?.renewal(tokens ? "done" : "refused");
    if (!tokens) return end(old);
    return sessions.update(old.id, (current) => ({ ...current, tokens }));
  }

  async function renewedByOther({ id, tokens }: OpenSession): Promise<OpenSession | undefined> {
    for (let waited = 0; waited < renewalSeconds * 1_000; waited += pollMs) {
      await wait(pollMs);
      const current = await sessions.find(id, { act: false });
      if (!current || current.tokens.access !== tokens.access) return current;
    }
    throw new IssuerUnavailable("Another call could not renew the tokens.");
  }

  async function end({ id }: OpenSession): Promise<undefined> {
    await sessions.end(hashOf(id));
  }
}
