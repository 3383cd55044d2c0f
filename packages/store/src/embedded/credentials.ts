import { randomBytes } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";

/** The passwords of the server's three roles. */
export interface Credentials {
  postgres: string;
  cardbridge_owner: string;
  cardbridge_app: string;
}

export type Role = keyof Credentials;

/** Reads the passwords of a data folder, made once and readable to its owner only. */
export async function readCredentials(file: string): Promise<Credentials | null> {
  try {
    const credentials: Credentials = JSON.parse(await readFile(file, "utf8"));
    return credentials;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw new Error(`The passwords in ${file} cannot be read.`, { cause: error });
  }
}

/** Makes the passwords, all at once; whoever comes second gets those of the first. */
export async function makeCredentials(file: string): Promise<void> {
  const secret = () => randomBytes(24).toString("base64url");
  const made: Credentials = { postgres: secret(), cardbridge_owner: secret(), cardbridge_app: secret() };
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  await writeFile(draft, JSON.stringify(made), { mode: 0o600, flag: "wx" });
  try {
    await link(draft, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await rm(draft);
  }
}

/** Where a role finds a database of the server. */
export function urlOf(port: number, credentials: Credentials, role: Role, database: string): string {
  return `postgres://${role}:${credentials[role]}@127.0.0.1:${port}/${database}?sslmode=disable`;
}
