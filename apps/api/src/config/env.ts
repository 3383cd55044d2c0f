import { hongKongPolicies } from "@cardbridge/domain";
import { parseKeyRing } from "@cardbridge/store";
import * as z from "zod";
import { failPointSetting } from "../fail-points/fail-point.ts";
import type { GivenRate } from "../rate-limits/rates.ts";
import { withSecretFiles } from "./secret-files.ts";

const loopbackHosts = ["127.0.0.1", "::1", "localhost"];

/** Known to everyone who reads this file: good for a sandbox on this machine and for nothing else. */
export const sandboxCredentials = {
  clientId: "cardbridge-dev",
  clientSecret: "sandbox-secret-for-development-only",
};

/** The secret of the sandbox's events, which only go from one process of this machine to another. */
export const sandboxEventsSecret = "whsec_c2FuZGJveC1ldmVudHMtZm9yLWRldmVsb3BtZW50";

/** Like them: for development, so that a restart still knows equal bodies. */
export const developmentFingerprintKey = "fingerprints-of-development-only";

/** Like it: 32 bytes that wrap the data keys of nobody real. */
const developmentRingKey = "a2V5LXJpbmctb2YtZGV2ZWxvcG1lbnQtb25seS0tLS0=";
export const developmentKeyRing = `1:${developmentRingKey}`;

const wholeNumber = (min: number, max: number) => {
  const error = `Give a whole number from ${min} to ${max}.`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error });
};
const whole = (min: number, max: number, fallback: number) => wholeNumber(min, max).default(fallback);
/** Calls and seconds, such as 600/60. */
const rate = z
  .string()
  .regex(
    /^(unlimited|[1-9][0-9]{0,6}\/[1-9][0-9]{0,4})$/,
    "Give calls and seconds such as 600/60, or unlimited.",
  )
  .transform((text): GivenRate => {
    if (text === "unlimited") return text;
    const [calls = 0, seconds = 0] = text.split("/").map(Number);
    return { calls, seconds };
  });
/** Parts between commas. */
const list = z
  .string()
  .default("")
  .transform((text) => text.split(",").flatMap((part) => part.trim() || []));
/** The reader's sentence says what to mend, and never what was given. */
const keyRing = z.string().transform((text, context) => {
  try {
    return parseKeyRing(text);
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : "It cannot be read.");
    return z.NEVER;
  }
});
const address = (...schemes: string[]) =>
  z.string().refine((text) => schemes.includes(schemeOf(text)), {
    error: `Give a URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(" or ")}.`,
  });

const variables = z.object({
  NODE_ENV: z.enum(["development", "test", "production"]).default("development"),
  RUN: z.enum(["all", "api", "worker"]).default("all"),
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: whole(0, 65_535, 3000),
  METRICS_HOST: z.string().min(1).default("127.0.0.1"),
  METRICS_PORT: whole(0, 65_535, 9464),
  PUBLIC_URL: address("http:", "https:").optional(),
  DATA_DIR: z.string().min(1).default(".data"),
  DATABASE_URL: address("postgres:", "postgresql:").optional(),
  MIGRATION_DATABASE_URL: address("postgres:", "postgresql:").optional(),
  DATABASE_CONNECTIONS: whole(1, 200, 10),
  PROVIDER_URL: address("http:", "https:").optional(),
  PROVIDER_CLIENT_ID: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "Give visible ASCII characters without a space.")
    .optional(),
  PROVIDER_CLIENT_SECRET: z.string().min(1).optional(),
  PROVIDER_EVENTS_SECRETS: list.refine(
    (secrets) => secrets.every((secret) => /^whsec_[A-Za-z0-9+/]{16,}=*$/.test(secret)),
    "Give secrets such as whsec_… in base64.",
  ),
  FINGERPRINT_KEY: z.string().min(1).optional(),
  KEY_RING: keyRing.optional(),
  FILES_DIR: z.string().min(1).optional(),
  FILES_S3_ENDPOINT: address("http:", "https:").optional(),
  FILES_S3_BUCKET: z.string().min(1).optional(),
  FILES_S3_REGION: z.string().min(1).default("us-east-1"),
  FILES_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  FILES_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  FILE_MAX_BYTES: whole(1_024, 104_857_600, 10_485_760),
  FILES_AT_ONCE: whole(1, 1_000, 8),
  CLAMD_URL: address("tcp:", "unix:").optional(),
  REQUESTS_AT_ONCE: whole(1, 100_000, 512),
  LOOKUP_CACHE_SECONDS: whole(0, 60, 1),
  RETENTION_DAYS: wholeNumber(1, 36_500).optional(),
  PROVIDER_KYC_TIMEOUT_MS: whole(100, 120_000, 10_000),
  PROVIDER_READ_TIMEOUT_MS: whole(100, 120_000, 5_000),
  LEASE_MARGIN_MS: whole(1_000, 600_000, 15_000),
  SETTLE_PER_SECOND: whole(1, 10_000, 200),
  HOLD_AFTER_SECONDS: whole(60, 2_592_000, 86_400),
  SHUTDOWN_DELAY_MS: whole(0, 600_000, 0),
  SHUTDOWN_GRACE_MS: whole(0, 600_000, 15_000),
  FAILPOINT: failPointSetting.optional(),
  RATE_LIMIT_READS: rate.optional(),
  RATE_LIMIT_SUBMISSIONS: rate.optional(),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  POLICY_HONG_KONG: z
    .enum(Object.keys(hongKongPolicies) as (keyof typeof hongKongPolicies)[])
    .default("documentCountry"),
  POLICY_DOCUMENT_EXPIRY: z.enum(["any", "future"]).default("any"),
  POLICY_FILE_ORIGINS: list
    .refine(
      (parts) => parts.every(isOrigin),
      "Give origins such as https://files.example.com, without a path.",
    )
    .transform((parts) => parts.map((part) => new URL(part).origin)),
});

export type Env = z.output<typeof variables>;

/** The configuration cannot be used; `reasons` names everything that is missing or unsafe, at once. */
export class ConfigurationError extends Error {
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super(`The configuration cannot be used:\n${reasons.map((reason) => `  - ${reason}`).join("\n")}`);
    this.name = "ConfigurationError";
    this.reasons = reasons;
  }
}

/**
 * Reads the environment: the only place that does. An empty variable counts as absent; a secret may be in a file.
 * `inspect` adds what is wrong with things that the variables name, such as a folder.
 * @throws ConfigurationError with every reason at once.
 */
export function readEnv(
  source: NodeJS.ProcessEnv = process.env,
  inspect: (given: Given) => string[] = () => [],
): Env {
  const { given, reasons: unreadable } = withSecretFiles(source);
  const parsed = variables.safeParse(given);
  const malformed = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  const reasons = [...unreadable, ...malformed, ...missing(given), ...unsafe(given), ...inspect(given)];
  if (!parsed.success || reasons.length > 0) throw new ConfigurationError(reasons);
  return parsed.data;
}

/** What the migration command needs: the owner's URL, and the service's for the role that it names. */
export function readMigrationEnv(source: NodeJS.ProcessEnv = process.env): {
  ownerUrl: string;
  serviceUrl: string;
} {
  const { given, reasons } = withSecretFiles(source);
  if (reasons.length > 0) throw new ConfigurationError(reasons);
  const { MIGRATION_DATABASE_URL: ownerUrl, DATABASE_URL: serviceUrl } = given;
  if (ownerUrl && serviceUrl && URL.canParse(ownerUrl) && URL.canParse(serviceUrl)) {
    return { ownerUrl, serviceUrl };
  }
  throw new ConfigurationError([
    ...(ownerUrl
      ? badUrl("MIGRATION_DATABASE_URL", ownerUrl)
      : ["MIGRATION_DATABASE_URL is missing: the owner of the tables."]),
    ...(serviceUrl
      ? badUrl("DATABASE_URL", serviceUrl)
      : ["DATABASE_URL is missing: the role that the service runs under."]),
  ]);
}

function badUrl(name: string, text: string): string[] {
  return URL.canParse(text) ? [] : [`${name} is no URL: use postgres://role:password@host/database.`];
}

export type Given = Readonly<Record<string, string | undefined>>;

function missing(given: Given): string[] {
  const credentials = ["PROVIDER_CLIENT_ID", "PROVIDER_CLIENT_SECRET"];
  const required =
    given.NODE_ENV === "production"
      ? ["DATABASE_URL", "PROVIDER_URL", ...credentials, "FINGERPRINT_KEY", "KEY_RING", "PUBLIC_URL"]
      : given.PROVIDER_URL === undefined
        ? []
        : credentials;
  const s3 = ["ENDPOINT", "BUCKET", "ACCESS_KEY_ID", "SECRET_ACCESS_KEY"].map((name) => `FILES_S3_${name}`);
  if (s3.some((name) => given[name] !== undefined)) required.push(...s3);
  else if (given.NODE_ENV === "production" && given.FILES_DIR === undefined) {
    required.push("FILES_DIR or FILES_S3_ENDPOINT");
  }
  return required.filter((name) => given[name] === undefined).map((name) => `${name} is missing.`);
}

function unsafe(given: Given): string[] {
  const reasons: string[] = [];
  if (given.NODE_ENV === "production" && given.FAILPOINT !== undefined) {
    reasons.push("FAILPOINT breaks the service on purpose: never in production.");
  }
  if (given.DATABASE_URL === undefined && !isLoopback(given.HOST ?? "127.0.0.1")) {
    reasons.push(
      "HOST has to be a loopback address while the embedded database, with its public demo keys, is used.",
    );
  }
  if (given.NODE_ENV !== "production") return reasons;
  if (isPlainRemote(given.PROVIDER_URL))
    reasons.push("PROVIDER_URL sends personal data unencrypted: use https.");
  if (given.PROVIDER_URL !== undefined && carriesMore(given.PROVIDER_URL)) {
    reasons.push("PROVIDER_URL must not carry credentials, a query or a fragment.");
  }
  if (isPlainRemote(given.PUBLIC_URL)) reasons.push("PUBLIC_URL is unencrypted: use https.");
  if (isPlainRemote(given.FILES_S3_ENDPOINT)) reasons.push("FILES_S3_ENDPOINT is unencrypted: use https.");
  const secret = given.PROVIDER_CLIENT_SECRET;
  if (secret !== undefined && (secret === sandboxCredentials.clientSecret || isWeak(secret, 16))) {
    reasons.push(
      "PROVIDER_CLIENT_SECRET is the sandbox's, shorter than 16 characters, or made of too few different ones.",
    );
  }
  if ((given.PROVIDER_EVENTS_SECRETS ?? "").split(",").some((one) => one.trim() === sandboxEventsSecret)) {
    reasons.push("PROVIDER_EVENTS_SECRETS holds the sandbox's.");
  }
  const key = given.FINGERPRINT_KEY;
  if (key !== undefined && (key === developmentFingerprintKey || isWeak(key, 32))) {
    reasons.push(
      "FINGERPRINT_KEY is the development one, shorter than 32 characters, or made of too few different ones.",
    );
  }
  if (given.KEY_RING?.includes(developmentRingKey)) {
    reasons.push("KEY_RING has the development key, which everyone knows.");
  } else if ((given.KEY_RING ?? "").split(",").some(isWeakRingKey)) {
    reasons.push("KEY_RING has a key that is made of too few different bytes: take 32 random ones.");
  }
  return reasons;
}

/** Too short, or a few characters again and again: nobody made that by chance. */
function isWeak(secret: string, length: number): boolean {
  return secret.length < length || new Set(secret).size < 8;
}

function isWeakRingKey(entry: string): boolean {
  const bytes = Buffer.from(entry.split(":")[1] ?? "", "base64");
  return bytes.length === 32 && new Set(bytes).size < 8;
}

function carriesMore(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return `${username}${password}${search}${hash}` !== "";
}

function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, origin, href } = new URL(text);
  return /^https?:$/.test(protocol) && href === `${origin}/`;
}

function isPlainRemote(text: string | undefined): boolean {
  if (text === undefined || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.protocol === "http:" && !isLoopback(url.hostname.replace(/^\[|\]$/g, ""));
}

function isLoopback(host: string): boolean {
  return loopbackHosts.includes(host) || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function schemeOf(text: string): string {
  return URL.canParse(text) ? new URL(text).protocol : "";
}
