import {
  type BreakerState,
  type FieldSupport,
  type ProviderCapabilities,
  type ServiceState,
  type ServiceStatus,
  submissionFields,
} from "@cardbridge/domain";
import { type ConfiguredRate, defaultRates } from "../admission/rates.ts";
import type { Env } from "../config/env.ts";
import { version } from "../process/version.ts";
import { policiesOf } from "./options.ts";
import { capabilitiesOf } from "./provider.ts";

/** The other limits, by the names of their variables. None has a secret or an address. */
const numbers = [
  "UNSENT_SUBMISSIONS",
  "REQUESTS_AT_ONCE",
  "FILES_AT_ONCE",
  "FILE_MAX_BYTES",
  "FILES_QUOTA_BYTES",
  "RESOLVE_PER_SECOND",
  "HOLD_AFTER_SECONDS",
  "PROVIDER_KYC_TIMEOUT_MS",
  "PROVIDER_READ_TIMEOUT_MS",
  "DATABASE_CONNECTIONS",
  "RETENTION_DAYS",
  "ERASED_RECORDS_DAYS",
] as const satisfies (keyof Env)[];

interface Options {
  env: Env;
  publicUrl: string;
  /** The circuit breakers of this process; none at the command line. */
  breakers?: (() => Readonly<Record<string, BreakerState>>) | undefined;
}

/** Reads the state of the service from the configuration and the provider's client. */
export function serviceState({ env, publicUrl, breakers }: Options): ServiceState {
  const capabilities = capabilitiesOf(env.PROVIDER);
  const { fourEyes } = policiesOf(env, publicUrl, { capabilities, readsExternalFiles: true });
  return () => ({
    environment: env.ENVIRONMENT,
    version,
    commit: env.COMMIT ?? null,
    fourEyes,
    provider: {
      name: env.PROVIDER,
      breakers: { ...breakers?.() },
      capabilities: describeCapabilities(capabilities),
    },
    limits: limitsOf(env),
  });
}

function limitsOf(env: Env): { name: string; value: string }[] {
  const rates = {
    RATE_LIMIT_READS: env.RATE_LIMIT_READS ?? defaultRates.reads,
    RATE_LIMIT_WRITES: env.RATE_LIMIT_WRITES ?? defaultRates.writes,
    RATE_LIMIT_SUBMISSIONS: env.RATE_LIMIT_SUBMISSIONS ?? defaultRates.submissions,
  };
  return [
    ...Object.entries(rates).map(([name, rate]) => ({ name, value: formatRate(rate) })),
    ...numbers.map((name) => ({ name, value: env[name] === undefined ? "not set" : String(env[name]) })),
  ];
}

/** A rate as its variable has it: calls/seconds. */
function formatRate(rate: ConfiguredRate): string {
  return rate === "unlimited" ? rate : `${rate.calls}/${rate.seconds}`;
}

/** How the provider gets files, and the fields that it does not support in full. */
function describeCapabilities({
  fileDelivery,
  files,
  fields,
}: ProviderCapabilities): ServiceStatus["provider"]["capabilities"] {
  const delivery = fileDelivery === "url" ? "The provider fetches files by URL." : "The service sends files.";
  const limits = files ? ` Up to ${files.maxBytes} bytes: ${files.types.join(", ")}.` : "";
  const described = submissionFields.map((field) => ({ field, limits: describe(fields[field]) }));
  return { files: `${delivery}${limits}`, fields: described.filter((one) => one.limits !== "") };
}

/** The loss and the limits of a field; empty for a field that the provider supports in full. */
function describe(support: FieldSupport): string {
  const loss = "loss" in support ? [support.loss] : [];
  if (support.support === "not carried") {
    return [...loss, ...(support.refused ? ["Submissions with the field are refused."] : [])].join(" ");
  }
  const { values, countries, maxLength } = support;
  return [
    ...loss,
    ...(values ? [`Values: ${values.join(", ")}.`] : []),
    ...(countries ? [`Countries: ${countries.join(", ")}.`] : []),
    ...(maxLength === undefined ? [] : [`At most ${maxLength} characters.`]),
  ].join(" ");
}
