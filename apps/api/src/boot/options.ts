import {
  defaultPolicies,
  hongKongPolicies,
  type Policies,
  type ProviderCapabilities,
} from "@cardbridge/domain";
import { ConfigurationError, urlOf } from "@cardbridge/node";
import { deriveKeys, type KeySet, parseKeyRing } from "@cardbridge/service/database";
import type { PersonSettings } from "../admission/persons/verify-person.ts";
import { configuredRates, defaultRates, type RateOf } from "../admission/rate.ts";
import type { DatabaseConnections } from "../admission/slots.ts";
import { developmentFingerprintKey, developmentKeyRing } from "../config/development-secrets.ts";
import type { Env } from "../config/env.ts";
import { demoPlatforms } from "./development/demo-data.ts";

/*
 * Converts the environment into the options of the service's parts. The command line uses them too, so that manual
 * attempts have the same deadlines and leases as the worker's.
 */

/** The keys that encrypt personal data, from the environment or for development. */
export function encryptionKeys(env: Pick<Env, "KEY_RING" | "FINGERPRINT_KEY">): KeySet {
  return deriveKeys({
    ring: env.KEY_RING ?? parseKeyRing(developmentKeyRing),
    fingerprintKey: env.FINGERPRINT_KEY ?? developmentFingerprintKey,
  });
}

export function kycRecordsOptions(env: Env) {
  return {
    leaseSeconds: (env.PROVIDER_KYC_TIMEOUT_MS + env.LEASE_MARGIN_MS) / 1_000,
    callSeconds: env.PROVIDER_KYC_TIMEOUT_MS / 1_000,
    holdAfterSeconds: env.HOLD_AFTER_SECONDS,
  };
}

/** The connections of calls and those of background work, together DATABASE_CONNECTIONS. */
export function databaseConnections({ DATABASE_CONNECTIONS: all, RUN }: Env): DatabaseConnections {
  const background = RUN === "worker" ? all - 1 : Math.max(1, Math.floor(all / 4));
  return { calls: all - background, background };
}

/**
 * The URL of the tables' owner.
 * @throws ConfigurationError without one
 */
export function ownerUrlOf({ MIGRATION_DATABASE_URL: url }: Env): string {
  if (url === undefined)
    throw new ConfigurationError([
      "MIGRATION_DATABASE_URL is missing: it connects as the owner of the tables.",
    ]);
  return url;
}

/** The storage quota of each platform. Many small files would fill the table of files before their bytes count. */
export function fileQuotaOf({ FILES_QUOTA_BYTES: bytes }: Env) {
  return { files: Math.ceil(bytes / 100_000), bytes };
}

/** The service's URL for callers and the provider. */
export function publicUrlOf({ PUBLIC_URL, HOST: host, PORT: port }: Env): string {
  return PUBLIC_URL ?? urlOf({ host, port });
}

/** The issuer of persons' tokens in the environment; undefined without one. */
export function personSettings(env: Env): PersonSettings | undefined {
  const { PERSONS_ISSUER: issuer, PERSONS_AUDIENCE: audience, PERSONS_ROLES: roles } = env;
  if (issuer === undefined || audience === undefined || roles === undefined) return undefined;
  const claimNames = { subject: env.PERSONS_SUBJECT, roles, platforms: env.PERSONS_PLATFORMS };
  return { issuer, audience, claimNames };
}

/** The rates of platforms. Demo platforms have a limit only if it is configured (gap G22). */
export function ratesOf(env: Env, embedded: boolean): RateOf {
  const configured = {
    reads: env.RATE_LIMIT_READS,
    writes: env.RATE_LIMIT_WRITES,
    submissions: env.RATE_LIMIT_SUBMISSIONS,
  };
  const demo = new Set(demoPlatforms.map(({ id }) => id));
  return configuredRates(configured, (platformId) => embedded && demo.has(platformId));
}

/** The limit of a platform's submissions that wait for a worker. The default is one minute of the platform's rate. */
export function maxUnsentOf({ UNSENT_SUBMISSIONS: configured }: Env, rateOf: RateOf) {
  return (platformId: string): number => {
    const { calls, seconds } = rateOf(platformId, "submissions") ?? defaultRates.submissions;
    return configured ?? Math.ceil((calls * 60) / seconds);
  };
}

/** The properties of the card provider that the policies need. */
interface ProviderFacts {
  capabilities: ProviderCapabilities;
  /** Whether the service reads external files for an adapter that takes bytes. */
  readsExternalFiles: boolean;
}

/** The configured policies. File URLs that the provider could not read are refused. */
export function policiesOf(
  env: Env,
  publicUrl: string,
  { capabilities, readsExternalFiles }: ProviderFacts,
): Policies {
  const uploadsOnly = capabilities.fileDelivery === "bytes" && !readsExternalFiles;
  return {
    ...defaultPolicies,
    hongKong: hongKongPolicies[env.POLICY_HONG_KONG],
    documentExpiry: env.POLICY_DOCUMENT_EXPIRY,
    expiryNoticeDays: env.POLICY_EXPIRY_NOTICE_DAYS,
    fileOrigins: uploadsOnly ? "uploads" : env.POLICY_FILE_ORIGINS,
    webhookUrls: env.NODE_ENV === "production" ? "https" : "https-or-loopback",
    ownOrigin: new URL(publicUrl).origin,
    capabilities,
    fourEyes: env.FOUR_EYES === "on",
  };
}
