import { ConfigurationError, readVariables, type Variables } from "@cardbridge/node";
import type * as z from "zod";
import { missingVariables, unsafeVariables, wrongOfProvider } from "./checks.ts";
import { severalHosts } from "./formats.ts";
import { insecureDatabases } from "./insecure-connections.ts";
import { removedVariables, variables } from "./variables.ts";

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
