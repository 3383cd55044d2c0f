import { isLoopback, type Variables } from "@cardbridge/node";
import { wrongAirwallexUrls } from "./airwallex-environment.ts";
import { insecureConnections } from "./insecure-connections.ts";
import { localNetworks } from "./local-networks.ts";
import { weakSecrets } from "./weak-secrets.ts";

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
  const isAirwallex = PROVIDER === "airwallex";
  if (!isAirwallex && NODE_ENV !== "production" && PROVIDER_URL === undefined) return [];
  const files = isAirwallex ? ["PROVIDER_FILES_URL"] : [];
  return ["PROVIDER_URL", ...files, "PROVIDER_CLIENT_ID", "PROVIDER_CLIENT_SECRET"];
}

/** The variables whose values the provider that PROVIDER selects cannot use. */
export function wrongOfProvider(variables: Variables): string[] {
  const { PROVIDER, PROVIDER_FILES_URL, PROVIDER_CLIENT_SECRET, PROVIDER_EVENTS_SECRETS = "" } = variables;
  if (PROVIDER === "airwallex") {
    return /^[\x21-\x7e]*$/.test(PROVIDER_CLIENT_SECRET ?? "")
      ? []
      : ["PROVIDER_CLIENT_SECRET: Set visible ASCII characters without spaces."];
  }
  const secrets = PROVIDER_EVENTS_SECRETS.split(",").flatMap((part) => part.trim() || []);
  return [
    ...(secrets.every((one) => /^whsec_[A-Za-z0-9+/]{16,}=*$/.test(one))
      ? []
      : ["PROVIDER_EVENTS_SECRETS: Set secrets such as whsec_… in base64."]),
    ...(PROVIDER_FILES_URL === undefined
      ? []
      : ["PROVIDER_FILES_URL is not used: remove it, or set PROVIDER=airwallex."]),
  ];
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
