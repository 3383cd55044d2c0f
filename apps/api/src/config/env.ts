import { BlockList, isIP } from "node:net";
import { ConfigurationError, isLoopback, readVariables, type Variables } from "@cardbridge/node";
import type * as z from "zod";
import { severalHosts } from "./formats.ts";
import { insecureConnections, insecureDatabases } from "./insecure-connections.ts";
import { removedVariables, variables } from "./variables.ts";
import { weakSecrets } from "./weak-secrets.ts";

/**
 * Networks that a webhook must never reach in production: this machine, its metrics among others, and the services of
 * a cloud that hand out credentials.
 */
const forbidden = [
  "0.0.0.0/8",
  "127.0.0.0/8",
  "100.100.100.200/32",
  "169.254.0.0/16",
  "168.63.129.16/32",
  "::/127",
  "::ffff:0:0/96",
  "fe80::/10",
  "fd00:ec2::254/128",
  "fd20:ce::254/128",
];

export type Env = z.output<typeof variables>;

/**
 * Reads the environment. Only this module reads it. An empty variable counts as absent; a secret can be in a file.
 *
 * @param inspect checks resources that variables name, such as a folder
 * @throws ConfigurationError with all reasons.
 */
export function readEnv(
  source: NodeJS.ProcessEnv = process.env,
  inspect: (read: Variables) => string[] = () => [],
): Env {
  const { variables: read, reasons: unreadable } = readVariables(source, variables, removedVariables);
  const parsed = variables.safeParse(read);
  const malformed = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  const reasons = [
    ...unreadable,
    ...malformed,
    ...missingVariables(read),
    ...wrongOfProvider(read),
    ...unsafeVariables(read),
    ...inspect(read),
  ];
  if (!parsed.success || reasons.length > 0) throw new ConfigurationError(reasons);
  return parsed.data;
}

/** Reads the migration program's URLs: the owner's, and the service's, which names the role. */
export function readMigrationEnv(source: NodeJS.ProcessEnv = process.env): {
  ownerUrl: string;
  serviceUrl: string;
} {
  const { variables: read, reasons } = readVariables(source, variables, removedVariables);
  if (read.NODE_ENV === "production") reasons.push(...insecureDatabases(read));
  if (reasons.length > 0) throw new ConfigurationError(reasons);
  const { MIGRATION_DATABASE_URL: ownerUrl, DATABASE_URL: serviceUrl } = read;
  if (ownerUrl && serviceUrl && URL.canParse(ownerUrl) && URL.canParse(serviceUrl)) {
    return { ownerUrl, serviceUrl };
  }
  throw new ConfigurationError([
    ...(ownerUrl
      ? invalidUrl("MIGRATION_DATABASE_URL", ownerUrl)
      : ["MIGRATION_DATABASE_URL is missing: it connects as the owner of the tables."]),
    ...(serviceUrl
      ? invalidUrl("DATABASE_URL", serviceUrl)
      : ["DATABASE_URL is missing: it names the service's role."]),
  ]);
}

function invalidUrl(name: string, text: string): string[] {
  if (URL.canParse(text)) return [];
  return [`${name}: ${severalHosts(text) ?? "Set a URL such as postgres://role:password@host/database."}`];
}

/** The variables that are required together with the present ones, and missing. */
function missingVariables(variables: Variables): string[] {
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
function wrongOfProvider(variables: Variables): string[] {
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
function unsafeVariables(variables: Variables): string[] {
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

/** A demo environment of Airwallex is for tests, and its other environment for real people (gap G36). */
function wrongAirwallexUrls({ ENVIRONMENT: environment = "test", ...urls }: Variables): string[] {
  return ["PROVIDER_URL", "PROVIDER_FILES_URL"].flatMap((name) => {
    const url = urls[name];
    if (url === undefined || !URL.canParse(url)) return [];
    const { hostname } = new URL(url);
    if (!hostname.endsWith(".airwallex.com")) return [];
    const actual = hostname.includes("demo") ? "test" : "live";
    if (actual === environment) return [];
    return [`${name} is of Airwallex's ${actual} environment, and ENVIRONMENT is ${environment}.`];
  });
}

/** The reason if one of these networks, separated by commas, overlaps one of them. */
function localNetworks(text = ""): string[] {
  const networks = text.split(",").flatMap((part) => parse(part.trim()) ?? []);
  const isLocal = networks.some((network) => forbidden.some((cidr) => overlap(network, parse(cidr))));
  if (!isLocal) return [];
  return [
    "WEBHOOKS_ALLOWED_NETWORKS contains addresses of this machine or of its cloud's internal services: set only the networks of your platforms.",
  ];
}

interface Network {
  first: string;
  family: "ipv4" | "ipv6";
  addresses: BlockList;
}

/** Two networks overlap if one contains the first address of the other. */
function overlap(one: Network, other: Network | undefined): boolean {
  if (one.family !== other?.family) return false;
  return one.addresses.check(other.first, one.family) || other.addresses.check(one.first, one.family);
}

/** Undefined for a malformed network, which another check reports. */
function parse(cidr: string): Network | undefined {
  const [first = "", prefix = ""] = cidr.split("/");
  const [family, bits] = isIP(first) === 6 ? (["ipv6", 128] as const) : (["ipv4", 32] as const);
  if (isIP(first) === 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) return undefined;
  const addresses = new BlockList();
  addresses.addSubnet(first, Number(prefix), family);
  return { first, family, addresses };
}
