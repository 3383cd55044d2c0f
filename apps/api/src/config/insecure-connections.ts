import { isLoopback, type Variables } from "@cardbridge/node";

/**
 * The connections of a production service that are not encrypted and leave this machine, each with what to set. Some
 * servers are often in a network of their own without TLS: INSECURE_CONNECTIONS allows them.
 */
export function insecureConnections(variables: Variables): string[] {
  return [
    ...providerUrls(variables),
    ...(isRemoteHttp(variables.PUBLIC_URL) ? ["PUBLIC_URL is unencrypted: use https."] : []),
    ...(isRemoteHttp(variables.FILES_S3_ENDPOINT) ? ["FILES_S3_ENDPOINT is unencrypted: use https."] : []),
    ...traceUrls(variables),
    ...insecureDatabases(variables),
    ...(isAllowed(variables, "redis") ? [] : redisUrl(variables.RATE_LIMIT_REDIS_URL)),
    ...(isAllowed(variables, "clamd") ? [] : clamdUrl(variables.CLAMD_URL)),
  ];
}

const isAllowed = ({ INSECURE_CONNECTIONS: allowed = "" }: Variables, server: string) =>
  allowed.split(",").some((part) => part.trim() === server);

function providerUrls(variables: Variables): string[] {
  return ["PROVIDER_URL", "PROVIDER_FILES_URL"].flatMap((name) => {
    const url = parse(variables[name]);
    return [
      ...(isRemoteHttp(variables[name]) ? [`${name} would send personal data unencrypted: use https.`] : []),
      ...(url && `${url.username}${url.password}${url.search}${url.hash}` !== ""
        ? [`${name} must not carry credentials, a query or a fragment.`]
        : []),
    ];
  });
}

/** Headers usually carry the key of the collector. Spans have no personal data. */
function traceUrls(variables: Variables): string[] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_HEADERS: headers } = variables;
  if (headers === undefined || !isRemoteHttp(url)) return [];
  return [
    "OTEL_EXPORTER_OTLP_ENDPOINT would send the headers of OTEL_EXPORTER_OTLP_HEADERS unencrypted: use https.",
  ];
}

/** The URLs of databases on other machines without TLS. The migration checks them too. */
export function insecureDatabases(variables: Variables): string[] {
  if (isAllowed(variables, "database")) return [];
  return ["DATABASE_URL", "MIGRATION_DATABASE_URL"]
    .filter((name) => isRemoteDatabaseWithoutTls(variables[name]))
    .map(
      (name) =>
        `${name} is unencrypted: add ?sslmode=verify-full, or set INSECURE_CONNECTIONS=database if nobody else can read this network.`,
    );
}

/** The driver verifies the certificate in these modes, unless the URL asks for the behaviour of libpq. */
const verifiedModes = ["require", "verify-ca", "verify-full"];

function isRemoteDatabaseWithoutTls(text: string | undefined): boolean {
  const url = parse(text);
  if (!url) return false;
  // The last of a repeated parameter counts, and `host` replaces the URL's host.
  const last = (name: string) => url.searchParams.getAll(name).at(-1);
  const host = last("host") ?? url.hostname;
  const isSocket = host === "" || /^(\/|%2f)/i.test(host);
  if (isSocket || isLoopback(host)) return false;
  return !verifiedModes.includes(last("sslmode") ?? "") || last("uselibpqcompat") !== undefined;
}

/** Redis has the counts of platforms and no personal data, so only its password needs TLS. */
function redisUrl(text: string | undefined): string[] {
  const url = parse(text);
  if (url?.protocol !== "redis:" || url.password === "" || isLoopback(url.hostname)) return [];
  return [
    "RATE_LIMIT_REDIS_URL would send the password unencrypted: use rediss, or set INSECURE_CONNECTIONS=redis if nobody else can read this network.",
  ];
}

/** ClamAV's protocol has no TLS. */
function clamdUrl(text: string | undefined): string[] {
  const url = parse(text);
  if (url?.protocol !== "tcp:" || isLoopback(url.hostname)) return [];
  return [
    "CLAMD_URL would send uploaded documents unencrypted: use a loopback address or a socket, or set INSECURE_CONNECTIONS=clamd if nobody else can read this network.",
  ];
}

function isRemoteHttp(text: string | undefined): boolean {
  const url = parse(text);
  return url?.protocol === "http:" && !isLoopback(url.hostname);
}

function parse(text: string | undefined): URL | undefined {
  return text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
}
