import { environments, hongKongPolicies, processRoles } from "@cardbridge/domain";
import * as z from "zod";
import { databaseUrl, fileOrigins, keyRing, list, networks, rate, url, wholeNumber } from "./formats.ts";
import { claimName, issuerUrl, rolesClaim } from "./person-formats.ts";
import { flag, pairs, samplers, share } from "./tracing-formats.ts";

/** A secret. It can be in a file whose path is in the variable `<name>_FILE`. */
const secret = <T extends z.ZodType>(schema: T): T => schema.meta({ secret: true });

const visibleText = z.string().regex(/^[\x21-\x7e]+$/, "Set visible ASCII characters without spaces.");

/** Every environment variable of the service. */
export const variables = z.object({
  NODE_ENV: z.enum(["development", "test", "production"]).default("development"),
  ENVIRONMENT: z.enum(environments).default("test"),
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
  DOCS_FOLDER: z.string().min(1).optional(),
  DOCS_PROGRAM: z.string().min(1).optional(),
  CONSOLE_PROGRAM: z.string().min(1).optional(),
  CONSOLE_PORT: wholeNumber(1, 65_535).default(3001),
  DATABASE_URL: secret(databaseUrl.optional()),
  MIGRATION_DATABASE_URL: secret(databaseUrl.optional()),
  DATABASE_INSECURE: flag,
  DATABASE_CONNECTIONS: wholeNumber(2, 200).default(10),
  DATABASE_CONNECTION_MAX_AGE_SECONDS: wholeNumber(10, 86_400).default(1_800),
  DATABASE_PREPARED_STATEMENTS: flag.default(true),
  PROVIDER: z.enum(["cardbridge", "airwallex"]).default("cardbridge"),
  PROVIDER_URL: url("http:", "https:").optional(),
  PROVIDER_CLIENT_ID: visibleText.optional(),
  PROVIDER_CLIENT_SECRET: secret(z.string().min(1).optional()),
  PROVIDER_EVENTS_SECRETS: secret(
    list.refine(
      (secrets) => secrets.every((secret) => /^whsec_[A-Za-z0-9+/]{16,}=*$/.test(secret)),
      "Set secrets such as whsec_… in base64.",
    ),
  ),
  AIRWALLEX_URL: url("http:", "https:").optional(),
  AIRWALLEX_FILES_URL: url("http:", "https:").optional(),
  AIRWALLEX_CLIENT_ID: visibleText.optional(),
  AIRWALLEX_API_KEY: secret(visibleText.optional()),
  AIRWALLEX_WEBHOOK_SECRETS: secret(list),
  FINGERPRINT_KEY: secret(z.string().min(1).optional()),
  KEY_RING: secret(keyRing.optional()),
  FILES_DIR: z.string().min(1).optional(),
  FILES_S3_ENDPOINT: url("http:", "https:").optional(),
  FILES_S3_BUCKET: z.string().min(1).optional(),
  FILES_S3_REGION: z.string().min(1).default("us-east-1"),
  FILES_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  FILES_S3_SECRET_ACCESS_KEY: secret(z.string().min(1).optional()),
  FILE_MAX_BYTES: wholeNumber(1_024, 104_857_600).default(10_485_760),
  FILES_QUOTA_COUNT: wholeNumber(1, 1_000_000_000).default(1_000_000),
  FILES_QUOTA_BYTES: wholeNumber(1, 1_000_000_000_000_000).default(107_374_182_400),
  FILES_AT_ONCE: wholeNumber(1, 1_000).default(8),
  CLAMD_URL: url("tcp:", "unix:").optional(),
  CLAMD_INSECURE: flag,
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
  SHUTDOWN_DELAY_MS: wholeNumber(0, 600_000).default(0),
  SHUTDOWN_GRACE_MS: wholeNumber(0, 600_000).default(15_000),
  RATE_LIMIT_READS: rate.optional(),
  RATE_LIMIT_WRITES: rate.optional(),
  RATE_LIMIT_SUBMISSIONS: rate.optional(),
  UNSENT_SUBMISSIONS: wholeNumber(0, 1_000_000).optional(),
  RATE_LIMIT_REDIS_URL: secret(url("redis:", "rediss:").optional()),
  RATE_LIMIT_REDIS_INSECURE: flag,
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
  OTEL_SDK_DISABLED: flag,
  OTEL_SERVICE_NAME: z.string().min(1).optional(),
  OTEL_RESOURCE_ATTRIBUTES: pairs,
  OTEL_TRACES_EXPORTER: z.enum(["otlp", "none"]).default("otlp"),
  OTEL_TRACES_SAMPLER: z.enum(samplers).default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: share.default(1),
  OTEL_EXPORTER_OTLP_ENDPOINT: url("http:", "https:").optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url("http:", "https:").optional(),
  OTEL_EXPORTER_OTLP_HEADERS: secret(pairs),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: secret(pairs),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .literal("http/json", "Set http/json, the only protocol that is supported.")
    .default("http/json"),
  OTEL_EXPORTER_OTLP_TIMEOUT: wholeNumber(1, 600_000).default(10_000),
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
  POLICY_FILE_ORIGINS: fileOrigins.default("public"),
});

/** The names of variables with secrets. */
export const secretVariables: string[] = Object.entries(variables.shape).flatMap(([name, schema]) =>
  (schema as z.ZodType).meta()?.secret === true ? [name] : [],
);
