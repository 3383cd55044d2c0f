import { environments, hongKongPolicies, processRoles } from "@cardbridge/domain";
import { secret, secretNames } from "@cardbridge/node";
import * as z from "zod";
import { databaseUrl, fileOrigins, keyRing, list, networks, rate, url, wholeNumber } from "./formats.ts";
import { claimName, issuerUrl, rolesClaim } from "./person-formats.ts";
import { flag, pairs, samplers, share } from "./tracing-formats.ts";

/** The servers that are often in a network of their own, without TLS. */
const insecureServers = ["database", "redis", "clamd"] as const;

const visibleText = z.string().regex(/^[\x21-\x7e]+$/, "Set visible ASCII characters without spaces.");

/** Every environment variable of the service. */
export const variables = z.object({
  NODE_ENV: z.enum(["development", "test", "production"]).default("development"),
  ENVIRONMENT: z.enum(environments).default("test"),
  CELL: z
    .string()
    .regex(/^[0-9A-Za-z]$/, "Set one letter or digit.")
    .optional(),
  COMMIT: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/, "Set the id of a commit, in hexadecimal digits.")
    .optional(),
  RUN: z.enum(processRoles).default("all"),
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: wholeNumber(0, 65_535).default(3000),
  METRICS_HOST: z.string().min(1).default("127.0.0.1"),
  METRICS_PORT: wholeNumber(0, 65_535).default(9464),
  PUBLIC_URL: url("http:", "https:").optional(),
  DATA_DIR: z.string().min(1).default(".data"),
  DATABASE_URL: secret(databaseUrl.optional()),
  MIGRATION_DATABASE_URL: secret(databaseUrl.optional()),
  DATABASE_CONNECTIONS: wholeNumber(2, 200).default(10),
  DATABASE_PREPARED_STATEMENTS: flag.default(true),
  PROVIDER: z.enum(["cardbridge", "airwallex"]).default("cardbridge"),
  PROVIDER_URL: url("http:", "https:").optional(),
  PROVIDER_FILES_URL: url("http:", "https:").optional(),
  PROVIDER_CLIENT_ID: visibleText.optional(),
  PROVIDER_CLIENT_SECRET: secret(z.string().min(1).optional()),
  PROVIDER_EVENTS_SECRETS: secret(list),
  FINGERPRINT_KEY: secret(z.string().min(1).optional()),
  KEY_RING: secret(keyRing.optional()),
  FILES_DIR: z.string().min(1).optional(),
  FILES_S3_ENDPOINT: url("http:", "https:").optional(),
  FILES_S3_BUCKET: z.string().min(1).optional(),
  FILES_S3_REGION: z.string().min(1).default("us-east-1"),
  FILES_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  FILES_S3_SECRET_ACCESS_KEY: secret(z.string().min(1).optional()),
  FILE_MAX_BYTES: wholeNumber(1_024, 104_857_600).default(10_485_760),
  FILES_QUOTA_BYTES: wholeNumber(1, 1_000_000_000_000_000).default(107_374_182_400),
  FILES_AT_ONCE: wholeNumber(1, 1_000).default(8),
  CLAMD_URL: url("tcp:", "unix:").optional(),
  REQUESTS_AT_ONCE: wholeNumber(2, 100_000).default(64),
  LOOKUP_CACHE_SECONDS: wholeNumber(0, 1).default(1),
  RETENTION_DAYS: wholeNumber(1, 36_500).optional(),
  ERASED_RECORDS_DAYS: wholeNumber(0, 36_500).default(1_825),
  PROVIDER_KYC_TIMEOUT_MS: wholeNumber(100, 120_000).default(10_000),
  PROVIDER_READ_TIMEOUT_MS: wholeNumber(100, 120_000).default(5_000),
  LEASE_MARGIN_MS: wholeNumber(1_000, 600_000).default(15_000),
  RESOLVE_PER_SECOND: wholeNumber(1, 10_000).default(200),
  HOLD_AFTER_SECONDS: wholeNumber(60, 2_592_000).default(86_400),
  WEBHOOKS_ALLOWED_NETWORKS: networks,
  INSECURE_CONNECTIONS: list.pipe(
    z.array(z.enum(insecureServers), `Set ${insecureServers.join(", ")}, separated by commas.`),
  ),
  SHUTDOWN_DELAY_MS: wholeNumber(0, 600_000).default(0),
  SHUTDOWN_GRACE_MS: wholeNumber(0, 600_000).default(15_000),
  RATE_LIMIT_READS: rate.optional(),
  RATE_LIMIT_WRITES: rate.optional(),
  RATE_LIMIT_SUBMISSIONS: rate.optional(),
  UNSENT_SUBMISSIONS: wholeNumber(0, 1_000_000).optional(),
  RATE_LIMIT_REDIS_URL: secret(url("redis:", "rediss:").optional()),
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  OTEL_SERVICE_NAME: z.string().min(1).optional(),
  OTEL_RESOURCE_ATTRIBUTES: pairs,
  OTEL_TRACES_SAMPLER: z.enum(samplers).default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: share.default(1),
  OTEL_EXPORTER_OTLP_ENDPOINT: url("http:", "https:").optional(),
  OTEL_EXPORTER_OTLP_HEADERS: secret(pairs),
  PERSONS_ISSUER: issuerUrl.optional(),
  PERSONS_AUDIENCE: z.string().min(1).max(255).optional(),
  PERSONS_SUBJECT: claimName.default("sub"),
  PERSONS_ROLES: rolesClaim.optional(),
  PERSONS_PLATFORMS: claimName.optional(),
  FOUR_EYES: z.enum(["on", "off"]).default("on"),
  POLICY_HONG_KONG: z
    .enum(Object.keys(hongKongPolicies) as (keyof typeof hongKongPolicies)[])
    .default("documentCountry"),
  POLICY_DOCUMENT_EXPIRY: z.enum(["any", "future"]).default("any"),
  POLICY_EXPIRY_NOTICE_DAYS: wholeNumber(1, 365).default(60),
  POLICY_FILE_ORIGINS: fileOrigins.default("public"),
});

/** The names of variables with secrets. */
export const secretVariables = secretNames(variables);

const otlp = "set OTEL_EXPORTER_OTLP_ENDPOINT, or remove it to trace nothing";

/** The variables of earlier versions, each with what to do instead. */
export const removedVariables = {
  PROCESSES: "remove it, and start each process by itself, on a port of its own",
  DATABASE_INSECURE: "set INSECURE_CONNECTIONS=database",
  RATE_LIMIT_REDIS_INSECURE: "set INSECURE_CONNECTIONS=redis",
  CLAMD_INSECURE: "set INSECURE_CONNECTIONS=clamd",
  FILES_QUOTA_COUNT: "set FILES_QUOTA_BYTES, which allows a file for each 100,000 bytes",
  AIRWALLEX_URL: "set PROVIDER_URL",
  AIRWALLEX_FILES_URL: "set PROVIDER_FILES_URL",
  AIRWALLEX_CLIENT_ID: "set PROVIDER_CLIENT_ID",
  AIRWALLEX_API_KEY: "set PROVIDER_CLIENT_SECRET",
  AIRWALLEX_WEBHOOK_SECRETS: "set PROVIDER_EVENTS_SECRETS",
  OTEL_SDK_DISABLED: otlp,
  OTEL_TRACES_EXPORTER: otlp,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "set OTEL_EXPORTER_OTLP_ENDPOINT, to which /v1/traces is appended",
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: "set OTEL_EXPORTER_OTLP_HEADERS",
  OTEL_EXPORTER_OTLP_PROTOCOL: "remove it, and let the collector receive OTLP over HTTP in JSON",
};
