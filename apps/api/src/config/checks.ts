import {
  developmentFingerprintKey,
  developmentRingKey,
  sandboxCredentials,
  sandboxEventsSecret,
} from "./development-secrets.ts";

const loopbackHosts = ["127.0.0.1", "::1", "localhost"];

const airwallexVariables = [
  "AIRWALLEX_URL",
  "AIRWALLEX_FILES_URL",
  "AIRWALLEX_CLIENT_ID",
  "AIRWALLEX_API_KEY",
] as const;

/** The environment's variables. An empty variable counts as absent. */
export type Variables = Readonly<Record<string, string | undefined>>;

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
  reasons.push(...wrongAirwallex(variables));
  if (variables.NODE_ENV !== "production") return reasons;
  for (const name of ["PROVIDER_URL", "AIRWALLEX_URL", "AIRWALLEX_FILES_URL"]) {
    const url = variables[name];
    if (isUnencryptedRemote(url)) reasons.push(`${name} would send personal data unencrypted: use https.`);
    if (url !== undefined && hasExtraParts(url)) {
      reasons.push(`${name} must not carry credentials, a query or a fragment.`);
    }
  }
  if (isUnencryptedRemote(variables.PUBLIC_URL)) reasons.push("PUBLIC_URL is unencrypted: use https.");
  if (isUnencryptedRemote(variables.FILES_S3_ENDPOINT))
    reasons.push("FILES_S3_ENDPOINT is unencrypted: use https.");
  const secret = variables.PROVIDER_CLIENT_SECRET;
  if (secret !== undefined && (secret === sandboxCredentials.clientSecret || isWeak(secret, 16))) {
    reasons.push(
      "PROVIDER_CLIENT_SECRET is the sandbox's, has fewer than 16 characters, or has too few different characters.",
    );
  }
  if (
    (variables.PROVIDER_EVENTS_SECRETS ?? "").split(",").some((one) => one.trim() === sandboxEventsSecret)
  ) {
    reasons.push("PROVIDER_EVENTS_SECRETS contains the sandbox's secret.");
  }
  for (const name of ["AIRWALLEX_API_KEY", "AIRWALLEX_WEBHOOK_SECRETS"]) {
    if ((variables[name]?.split(",") ?? []).some((one) => isWeak(one.trim(), 16))) {
      reasons.push(`${name} has fewer than 16 characters, or too few different characters.`);
    }
  }
  const key = variables.FINGERPRINT_KEY;
  if (key !== undefined && (key === developmentFingerprintKey || isWeak(key, 32))) {
    reasons.push(
      "FINGERPRINT_KEY is the development key, has fewer than 32 characters, or has too few different characters.",
    );
  }
  if (variables.KEY_RING?.includes(developmentRingKey)) {
    reasons.push("KEY_RING contains the development key, which is public.");
  } else if ((variables.KEY_RING ?? "").split(",").some(isWeakRingKey)) {
    reasons.push("KEY_RING contains a key with too few different bytes: use 32 random bytes.");
  }
  return reasons;
}

/** A demo environment of Airwallex is for tests, and its other environment for real people (gap G36). */
function wrongAirwallex({ ENVIRONMENT: environment = "test", ...urls }: Variables): string[] {
  return ["AIRWALLEX_URL", "AIRWALLEX_FILES_URL"].flatMap((name) => {
    const url = urls[name];
    if (url === undefined || !URL.canParse(url)) return [];
    const { hostname } = new URL(url);
    if (!hostname.endsWith(".airwallex.com")) return [];
    const actual = hostname.includes("demo") ? "test" : "live";
    if (actual === environment) return [];
    return [`${name} is of Airwallex's ${actual} environment, and ENVIRONMENT is ${environment}.`];
  });
}

/** Whether a secret is too short, or has too few different characters to be random. */
function isWeak(secret: string, length: number): boolean {
  return secret.length < length || new Set(secret).size < 8;
}

function isWeakRingKey(entry: string): boolean {
  const bytes = Buffer.from(entry.split(":")[1] ?? "", "base64");
  return bytes.length === 32 && new Set(bytes).size < 8;
}

function hasExtraParts(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return `${username}${password}${search}${hash}` !== "";
}

function isUnencryptedRemote(text: string | undefined): boolean {
  if (text === undefined || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.protocol === "http:" && !isLoopback(url.hostname.replace(/^\[|\]$/g, ""));
}

function isLoopback(host: string): boolean {
  return loopbackHosts.includes(host) || /^127\.\d+\.\d+\.\d+$/.test(host);
}
