import { randomBytes } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { codeOf } from "./error-code.ts";

/** The passwords of the server's three roles. */
export interface Credentials {
  postgres: string;
  cardbridge_owner: string;
  cardbridge_app: string;
}

export type Role = keyof Credentials;

/** Reads the passwords of a data folder; null if they do not exist. Only the file's owner may read them. */
export async function readCredentials(file: string): Promise<Credentials | null> {
  try {
    const credentials: Credentials = JSON.parse(await readFile(file, "utf8"));
    return credentials;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw new Error(`The passwords in ${file} cannot be read.`, { cause: error });
  }
}

/** Creates the passwords unless another start created them first. */
export async function createCredentials(file: string): Promise<void> {
  const secret = () => randomBytes(24).toString("base64url");
  const credentials: Credentials = {
    postgres: secret(),
    cardbridge_owner: secret(),
    cardbridge_app: secret(),
  };
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  await writeFile(draft, JSON.stringify(credentials), { mode: 0o600, flag: "wx" });
  try {
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await rm(draft);
  }
}

/** The URL for connecting to a database of the server as a role. */
export function urlOf(port: number, credentials: Credentials, role: Role, database: string): string {
  return `postgres://${role}:${credentials[role]}@127.0.0.1:${port}/${database}?sslmode=disable`;
}
