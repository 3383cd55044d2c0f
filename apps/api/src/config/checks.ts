import {
  developmentFingerprintKey,
  developmentRingKey,
  sandboxCredentials,
  sandboxEventsSecret,
} from "./development-secrets.ts";

const loopbackHosts = ["127.0.0.1", "::1", "localhost"];

/** The environment as text. An empty variable is absent. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The variables that are missing together with those that are variables. */
export function missingVariables(variables: Variables): string[] {
  const credentials = ["PROVIDER_CLIENT_ID", "PROVIDER_CLIENT_SECRET"];
  const required =
    variables.NODE_ENV === "production"
      ? ["DATABASE_URL", "PROVIDER_URL", ...credentials, "FINGERPRINT_KEY", "KEY_RING", "PUBLIC_URL"]
      : variables.PROVIDER_URL === undefined
        ? []
        : credentials;
  const s3 = ["ENDPOINT", "BUCKET", "ACCESS_KEY_ID", "SECRET_ACCESS_KEY"].map((name) => `FILES_S3_${name}`);
  if (s3.some((name) => variables[name] !== undefined)) required.push(...s3);
  else if (variables.NODE_ENV === "production" && variables.FILES_DIR === undefined) {
    required.push("FILES_DIR or FILES_S3_ENDPOINT");
  }
  return required.filter((name) => variables[name] === undefined).map((name) => `${name} is missing.`);
}

/** The variables whose values are unsafe, most of them in production only. */
export function unsafeVariables(variables: Variables): string[] {
  const reasons: string[] = [];
  if (variables.DATABASE_URL === undefined && !isLoopback(variables.HOST ?? "127.0.0.1")) {
    reasons.push(
      "HOST has to be a loopback address while the embedded database, with its public demo keys, is used.",
    );
  }
  if (variables.NODE_ENV !== "production") return reasons;
  if (isPlainRemote(variables.PROVIDER_URL))
    reasons.push("PROVIDER_URL sends personal data unencrypted: use https.");
  if (variables.PROVIDER_URL !== undefined && carriesMore(variables.PROVIDER_URL)) {
    reasons.push("PROVIDER_URL must not carry credentials, a query or a fragment.");
  }
  if (isPlainRemote(variables.PUBLIC_URL)) reasons.push("PUBLIC_URL is unencrypted: use https.");
  if (isPlainRemote(variables.FILES_S3_ENDPOINT))
    reasons.push("FILES_S3_ENDPOINT is unencrypted: use https.");
  const secret = variables.PROVIDER_CLIENT_SECRET;
  if (secret !== undefined && (secret === sandboxCredentials.clientSecret || isWeak(secret, 16))) {
    reasons.push(
      "PROVIDER_CLIENT_SECRET is the sandbox's, shorter than 16 characters, or made of too few different ones.",
    );
  }
  if (
    (variables.PROVIDER_EVENTS_SECRETS ?? "").split(",").some((one) => one.trim() === sandboxEventsSecret)
  ) {
    reasons.push("PROVIDER_EVENTS_SECRETS holds the sandbox's.");
  }
  const key = variables.FINGERPRINT_KEY;
  if (key !== undefined && (key === developmentFingerprintKey || isWeak(key, 32))) {
    reasons.push(
      "FINGERPRINT_KEY is the development one, shorter than 32 characters, or made of too few different ones.",
    );
  }
  if (variables.KEY_RING?.includes(developmentRingKey)) {
    reasons.push("KEY_RING has the development key, which everyone knows.");
  } else if ((variables.KEY_RING ?? "").split(",").some(isWeakRingKey)) {
    reasons.push("KEY_RING has a key that is made of too few different bytes: take 32 random ones.");
  }
  return reasons;
}

/** Too short, or made of a few characters: no random secret looks like that. */
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

function isPlainRemote(text: string | undefined): boolean {
  if (text === undefined || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.protocol === "http:" && !isLoopback(url.hostname.replace(/^\[|\]$/g, ""));
}

function isLoopback(host: string): boolean {
  return loopbackHosts.includes(host) || /^127\.\d+\.\d+\.\d+$/.test(host);
}
