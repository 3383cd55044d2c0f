import { Failure, ReasonError, reasonOf } from "@cardbridge/domain";
import { isLoopback } from "@cardbridge/node";
import { createLocalJWKSet, errors, type JWK, type JWTVerifyGetKey } from "jose";
import * as z from "zod";

/** In milliseconds. Keys are renewed in the background; they stay usable for a day while the issuer is away. */
const renewMs = 600_000;
const usableMs = 24 * 3_600_000;
/** The minimum time between two fetches, and after a failed one without any keys. */
const pauseMs = 30_000;
const pauseWithoutKeysMs = 5_000;
/** The maximum time of a fetch, for which a call waits. */
const fetchMs = 2_000;

interface Options {
  /** The issuer, as its tokens name it. */
  issuer: string;
  fetchJson: FetchJson;
  /** Receives the reason of each failed fetch. */
  onFailure(reason: string): void;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/** The discovery document (OpenID Connect Discovery 1.0). */
const discovery = z.object({ issuer: z.string(), jwks_uri: z.string().refine(isSafe) });
const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) });

/**
 * Finds the issuer's key of a token. The keys are fetched once, and for an unknown `kid` at most every 30 seconds.
 * Returned function: throws Failure SERVICE_UNAVAILABLE while no keys were ever obtained, or for more than a day; errors of
 * jose where no key fits.
 */
export function createIssuerKeys({
  issuer,
  fetchJson,
  onFailure,
  now = () => performance.now(),
}: Options): JWTVerifyGetKey {
  let keys: { find: JWTVerifyGetKey; fetchedAt: number } | undefined;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;

  async function fetchKeys(): Promise<void> {
    const start = now();
    try {
      keys = {
        find: createLocalJWKSet({ keys: await fetchIssuerKeys(issuer, fetchJson) }),
        fetchedAt: start,
      };
    } catch (error) {
      onFailure(reasonOf(error));
    }
  }

  /** Fetches the keys, unless the last fetch is too recent. Never rejects. */
  function renew(): Promise<void> {
    if (pending) return pending;
    if (now() - fetchedAt < (keys ? pauseMs : pauseWithoutKeysMs)) return Promise.resolve();
    fetchedAt = now();
    pending = fetchKeys().finally(() => {
      pending = undefined;
    });
    return pending;
  }

  return async (header, token) => {
    if (keys && now() - keys.fetchedAt > usableMs) keys = undefined;
    if (!keys) await renew();
    else if (now() - keys.fetchedAt > renewMs) void renew();
    if (!keys) throw new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: pauseWithoutKeysMs / 1_000 });
    const known = keys;
    try {
      return await known.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await renew();
      if (keys === known) throw error;
      return keys.find(header, token);
    }
  };
}

/**
 * Fetches the issuer's keys, of which there is at least one.
 * @throws ReasonError `malformed` or `other-issuer`; the errors of `fetchJson`.
 */
export async function fetchIssuerKeys(issuer: string, fetchJson: FetchJson): Promise<JWK[]> {
  const signal = AbortSignal.timeout(fetchMs);
  try {
    const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const found = discovery.parse(await fetchJson(address, signal));
    if (found.issuer !== issuer) throw new ReasonError("other-issuer");
    return keySet.parse(await fetchJson(found.jwks_uri, signal)).keys;
  } catch (error) {
    throw error instanceof z.ZodError ? new ReasonError("malformed") : error;
  }
}

/** Keys come over TLS, or from this machine. */
function isSafe(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

/** The maximum size of a response, in bytes. Documents of issuers have a few kilobytes. */
const maxBytes = 262_144;

/** Reads a JSON document of the issuer. Throws if it cannot be read before the signal aborts, or is too large. */
export type FetchJson = (url: string, signal: AbortSignal) => Promise<unknown>;

/** Follows no redirect: the configuration names the issuer. */
export const fetchJson: FetchJson = async (url, signal) => {
  const response = await fetch(url, { signal, redirect: "error", headers: { accept: "application/json" } });
  if (response.status !== 200) throw new ReasonError(`status-${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new ReasonError("too-large");
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
};
