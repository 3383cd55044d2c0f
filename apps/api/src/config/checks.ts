import { isLoopback } from "../loopback.ts";
import { wrongAirwallexUrls } from "./airwallex-environment.ts";
import { insecureConnections } from "./insecure-connections.ts";
import { localNetworks } from "./local-networks.ts";
import type { Variables } from "./secret-files.ts";
import { weakSecrets } from "./weak-secrets.ts";

const airwallexVariables = [
  "AIRWALLEX_URL",
  "AIRWALLEX_FILES_URL",
  "AIRWALLEX_CLIENT_ID",
  "AIRWALLEX_API_KEY",
] as const;

/** The variables that are required together with the present ones, and missing. */
export function missingVariables(variables: Variables): string[] {
  const required = requiredOfProvider(variables);
  if (variables.NODE_ENV === "production") {
    required.push("ENVIRONMENT", "DATABASE_URL", "FINGERPRINT_KEY", "KEY_RING", "PUBLIC_URL");
  }
  const s3 = ["ENDPOINT", "BUCKET", "ACCESS_KEY_ID", "SECRET_ACCESS_KEY"].map((name) => `FILES_S3_${name}`);
  if (s3.some((name) => variables[name] !== undefined)) required.push(...s3);
  else if (variables.NODE_ENV === "production" && variables.FILES_DIR === undefined) {
    required.push("FILES_DIR or FILES_S3_ENDPOINT");
  }
  const ofPersons = ["PERSONS_ISSUER", "PERSONS_AUDIENCE", "PERSONS_ROLES"];
  const usedPersons = [...ofPersons, "PERSONS_SUBJECT", "PERSONS_PLATFORMS"];
  if (usedPersons.some((name) => variables[name] !== undefined)) required.push(...ofPersons);
  return required.filter((name) => variables[name] === undefined).map((name) => `${name} is missing.`);
}

/** Airwallex has no sandbox here, so its variables are also required in development. */
function requiredOfProvider({ NODE_ENV, PROVIDER, PROVIDER_URL }: Variables): string[] {
  if (PROVIDER === "airwallex") return [...airwallexVariables];
  const isNeeded = NODE_ENV === "production" || PROVIDER_URL !== undefined;
  return isNeeded ? ["PROVIDER_URL", "PROVIDER_CLIENT_ID", "PROVIDER_CLIENT_SECRET"] : [];
}

/** The variables of the provider that PROVIDER does not select, and PROCESSES, which is no longer supported. */
export function unusedVariables(variables: Variables): string[] {
  const removed =
    variables.PROCESSES === undefined
      ? []
      : ["PROCESSES is not used: remove it, and start each process by itself, on a port of its own."];
  const [used, unused] =
    variables.PROVIDER === "airwallex"
      ? [
          "cardbridge",
          ["PROVIDER_URL", "PROVIDER_CLIENT_ID", "PROVIDER_CLIENT_SECRET", "PROVIDER_EVENTS_SECRETS"],
        ]
      : ["airwallex", [...airwallexVariables, "AIRWALLEX_WEBHOOK_SECRETS"]];
  const ofOther = unused.filter((name) => variables[name] !== undefined);
  return [...removed, ...ofOther.map((name) => `${name} is not used: remove it, or set PROVIDER=${used}.`)];
}

/** The variables with unsafe values. Most checks apply in production only. */
export function unsafeVariables(variables: Variables): string[] {
  const reasons: string[] = [];
  if (variables.DATABASE_URL === undefined && !isLoopback(variables.HOST ?? "127.0.0.1")) {
    reasons.push(
      "HOST must be a loopback address with the embedded database, because its demo keys are public.",
    );
  }
  if (variables.ENVIRONMENT === "live" && variables.NODE_ENV !== "production") {
    reasons.push("ENVIRONMENT=live requires NODE_ENV=production.");
  }
  reasons.push(...wrongAirwallexUrls(variables));
  if (variables.NODE_ENV !== "production") return reasons;
  return [
    ...reasons,
    ...insecureConnections(variables),
    ...weakSecrets(variables),
    ...localNetworks(variables.WEBHOOKS_ALLOWED_NETWORKS),
  ];
}
