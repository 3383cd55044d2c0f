import { isLoopback, type Variables } from "@cardbridge/node";
import {
  developmentFingerprintKey,
  developmentRingKey,
  sandboxCredentials,
  sandboxEventsSecret,
} from "./development-secrets.ts";

interface SecretRule {
  name: string;
  /** The minimum number of characters or bytes. */
  length: number;
  /** The secrets in the variable's value. Default: the value, split at commas. */
  secretsOf?(text: string): (string | Uint8Array)[];
  /** A secret that is public, because it is in this project. */
  known?: string;
}

const rules: SecretRule[] = [
  { name: "DATABASE_URL", length: 8, secretsOf: passwordOf },
  { name: "MIGRATION_DATABASE_URL", length: 8, secretsOf: passwordOf },
  { name: "RATE_LIMIT_REDIS_URL", length: 8, secretsOf: passwordOf },
  { name: "PROVIDER_CLIENT_SECRET", length: 16, secretsOf: whole, known: sandboxCredentials.clientSecret },
  {
    name: "PROVIDER_EVENTS_SECRETS",
    length: 16,
    secretsOf: (text) => listOf(text).map((one) => one.replace(/^whsec_/, "")),
    known: sandboxEventsSecret,
  },
  { name: "FINGERPRINT_KEY", length: 32, secretsOf: whole, known: developmentFingerprintKey },
  { name: "KEY_RING", length: 32, secretsOf: ringKeys, known: developmentRingKey },
  { name: "FILES_S3_SECRET_ACCESS_KEY", length: 16, secretsOf: whole },
];

/** The secrets of a production service that are public, too short or too regular, without their values. */
export function weakSecrets(variables: Variables): string[] {
  return rules.flatMap(({ name, length, secretsOf = listOf, known }) => {
    const text = variables[name];
    if (text === undefined) return [];
    if (known !== undefined && text.includes(known))
      return [`${name} contains a secret of this project, which is public.`];
    const subject = secretsOf === passwordOf ? `The password in ${name}` : name;
    return secretsOf(text).some((secret) => isWeak(secret, length))
      ? [`${subject} has fewer than ${length} characters, or too few different ones: use a random secret.`]
      : [];
  });
}

/** Whether a secret is too short, has too few different characters to be random, or repeats a part of itself. */
function isWeak(secret: string | Uint8Array, length: number): boolean {
  const characters = [...secret];
  return characters.length < length || new Set(characters).size < 8 || isRepetition(characters);
}

function isRepetition(characters: readonly (string | number)[]): boolean {
  const { length } = characters;
  for (let part = 1; part <= length / 2; part += 1) {
    if (length % part === 0 && characters.every((one, index) => one === characters[index % part]))
      return true;
  }
  return false;
}

function whole(text: string): string[] {
  return [text];
}

function listOf(text: string): string[] {
  return text.split(",").flatMap((part) => part.trim() || []);
}

/** The keys of a valid ring. A malformed ring has its own reason. */
function ringKeys(text: string): Uint8Array[] {
  const keys = listOf(text).map((entry) => Buffer.from(entry.split(":")[1] ?? "", "base64"));
  return keys.filter((key) => key.length === 32);
}

/** The password of another machine's URL. There is none with a certificate. */
function passwordOf(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { hostname, password } = new URL(text);
  return password === "" || hostname === "" || isLoopback(hostname) ? [] : [password];
}
