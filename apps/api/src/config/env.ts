import type * as z from "zod";
import { missingVariables, unsafeVariables, type Variables } from "./checks.ts";
import { ConfigurationError } from "./configuration-error.ts";
import { readVariables } from "./secret-files.ts";
import { variables } from "./variables.ts";

export type Env = z.output<typeof variables>;

/**
 * Reads the environment: the only place that does. An empty variable is absent; a secret may be in a file.
 *
 * @param inspect checks the things that variables name, such as a folder
 * @throws ConfigurationError with every reason at once.
 */
export function readEnv(
  source: NodeJS.ProcessEnv = process.env,
  inspect: (read: Variables) => string[] = () => [],
): Env {
  const { variables: read, reasons: unreadable } = readVariables(source);
  const parsed = variables.safeParse(read);
  const malformed = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  const reasons = [
    ...unreadable,
    ...malformed,
    ...missingVariables(read),
    ...unsafeVariables(read),
    ...inspect(read),
  ];
  if (!parsed.success || reasons.length > 0) throw new ConfigurationError(reasons);
  return parsed.data;
}

/** The URLs of the migration program: the owner's, and the service's for the role in it. */
export function readMigrationEnv(source: NodeJS.ProcessEnv = process.env): {
  ownerUrl: string;
  serviceUrl: string;
} {
  const { variables: read, reasons } = readVariables(source);
  if (reasons.length > 0) throw new ConfigurationError(reasons);
  const { MIGRATION_DATABASE_URL: ownerUrl, DATABASE_URL: serviceUrl } = read;
  if (ownerUrl && serviceUrl && URL.canParse(ownerUrl) && URL.canParse(serviceUrl)) {
    return { ownerUrl, serviceUrl };
  }
  throw new ConfigurationError([
    ...(ownerUrl
      ? badUrl("MIGRATION_DATABASE_URL", ownerUrl)
      : ["MIGRATION_DATABASE_URL is missing: the owner of the tables."]),
    ...(serviceUrl
      ? badUrl("DATABASE_URL", serviceUrl)
      : ["DATABASE_URL is missing: the role that the service runs under."]),
  ]);
}

function badUrl(name: string, text: string): string[] {
  return URL.canParse(text) ? [] : [`${name} is no URL: use postgres://role:password@host/database.`];
}
