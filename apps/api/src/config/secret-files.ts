import { readFileSync } from "node:fs";

/** Variables that hold a secret: each may be given as a file instead, by its name with `_FILE` behind it. */
const secrets = [
  "DATABASE_URL",
  "MIGRATION_DATABASE_URL",
  "PROVIDER_CLIENT_SECRET",
  "PROVIDER_EVENTS_SECRETS",
  "FINGERPRINT_KEY",
  "KEY_RING",
];

interface Given {
  /** The environment, with what the files hold in place of their names. Empty variables are absent. */
  given: Record<string, string | undefined>;
  /** Why a file cannot be used; never what it holds. */
  reasons: string[];
}

/** Reads secrets from the files that the environment names; a line's end behind a secret does not belong to it. */
export function withSecretFiles(environment: NodeJS.ProcessEnv): Given {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const reasons: string[] = [];
  for (const name of secrets) {
    const file = given[`${name}_FILE`];
    if (file === undefined) continue;
    if (given[name] !== undefined) {
      reasons.push(`${name} and ${name}_FILE are both given: remove one.`);
      continue;
    }
    try {
      const secret = readFileSync(file, "utf8").replace(/\r?\n$/, "");
      if (secret === "") reasons.push(`${name}_FILE is empty.`);
      else given[name] = secret;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
      reasons.push(`${name}_FILE cannot be read (${code}).`);
    }
  }
  return { given, reasons };
}
