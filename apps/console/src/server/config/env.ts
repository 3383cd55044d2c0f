import { ConfigurationError, isLoopback, readVariables, urlOf } from "@cardbridge/node";
import { isSafeUrl, unsafeUrl, variables } from "./variables.ts";

/** The issuer that signs persons in, and this console as its client. */
export interface IssuerConfig {
  issuer: string;
  clientId: string;
  /** Undefined for a public client. */
  clientSecret: string | undefined;
  /** The audience of the access tokens: the service. */
  audience: string;
  /** The parameter that requests the audience. */
  audienceParameter: "resource" | "audience" | "none";
  scope: string;
}

/** Addresses outside of the console, to which its pages link. */
export interface Links {
  /** The documentation, with the runbook. */
  docsUrl?: string | undefined;
  /** The page of a trace, with `{traceId}` for its id. */
  traceUrl?: string | undefined;
}

export type Env = ReturnType<typeof readEnv>;

/**
 * Reads the environment. Only this module reads it. An empty variable counts as absent; a secret can be in a file.
 * @throws ConfigurationError with all reasons, without values.
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env) {
  const { variables: values, reasons } = readVariables(source, variables);
  reasons.push(...unusableIssuer(values));
  const parsed = variables.safeParse(values);
  if (!parsed.success) {
    const malformed = parsed.error.issues.map(({ path, message }) => {
      const name = String(path[0]);
      return values[name] === undefined ? `${name} is missing.` : `${name}: ${message}`;
    });
    throw new ConfigurationError([...reasons, ...malformed]);
  }
  const read = parsed.data;
  const host = read.CONSOLE_HOST;
  const publicUrl = read.CONSOLE_PUBLIC_URL ?? urlOf({ host, port: read.CONSOLE_PORT });
  const issuer = issuerOf(read);
  if (!issuer) reasons.push(...noDevelopmentIssuer(read, publicUrl));
  else if (!isSafeUrl(publicUrl)) reasons.push(`CONSOLE_PUBLIC_URL: ${unsafeUrl}`);
  if (reasons.length > 0) throw new ConfigurationError(reasons);
  return {
    host,
    port: read.CONSOLE_PORT,
    metrics: { host: read.CONSOLE_METRICS_HOST, port: read.CONSOLE_METRICS_PORT },
    /** How long the console still accepts calls after a stop signal, then how long calls may continue. */
    shutdown: { delayMs: read.SHUTDOWN_DELAY_MS, graceMs: read.SHUTDOWN_GRACE_MS },
    /** The origin of the console for browsers, without a trailing slash. */
    publicUrl: new URL(publicUrl).origin,
    redisUrl: read.CONSOLE_REDIS_URL,
    serviceUrl: read.CARDBRIDGE_URL,
    serviceKey: read.CARDBRIDGE_KEY,
    /** Undefined: the development issuer signs persons in. */
    issuer,
    slaHours: read.SLA_HOURS,
    links: { docsUrl: read.DOCS_URL, traceUrl: read.TRACE_URL },
  };
}

type Variables = ReturnType<typeof variables.parse>;

function issuerOf(read: Variables): IssuerConfig | undefined {
  if (read.OIDC_ISSUER === undefined) return undefined;
  return {
    issuer: read.OIDC_ISSUER,
    clientId: read.OIDC_CLIENT_ID ?? "",
    clientSecret: read.OIDC_CLIENT_SECRET,
    audience: read.OIDC_AUDIENCE ?? "",
    audienceParameter: read.OIDC_AUDIENCE_PARAMETER,
    scope: read.OIDC_SCOPE,
  };
}

function unusableIssuer(values: Record<string, string | undefined>): string[] {
  if (values.OIDC_ISSUER === undefined) return [];
  const required = ["OIDC_CLIENT_ID", "OIDC_AUDIENCE"];
  const missing = required.filter((name) => values[name] === undefined).map((name) => `${name} is missing.`);
  const { OIDC_AUDIENCE: audience, OIDC_AUDIENCE_PARAMETER: parameter = "resource" } = values;
  if (parameter !== "resource" || audience === undefined || isResource(audience)) return missing;
  return [
    ...missing,
    "OIDC_AUDIENCE: Set an absolute URI without a fragment, such as urn:example:cardbridge, or another OIDC_AUDIENCE_PARAMETER.",
  ];
}

/** RFC 8707, section 2: issuers refuse any other text in the parameter `resource`. */
const isResource = (text: string): boolean => URL.canParse(text) && !text.includes("#");

/** Why the development issuer, with which anybody is anyone, must not start. */
function noDevelopmentIssuer(read: Variables, publicUrl: string): string[] {
  const hosts = [read.CONSOLE_HOST, new URL(publicUrl).hostname, new URL(read.CARDBRIDGE_URL).hostname];
  const isLive = read.CARDBRIDGE_KEY.startsWith("cb_int_live_");
  if (read.NODE_ENV !== "production" && !isLive && hosts.every(isLoopback)) return [];
  return [
    "OIDC_ISSUER is missing. The development issuer starts on loopback addresses only, and never in production or on live.",
  ];
}
