import { type ClientBase, escapeIdentifier, escapeLiteral } from "pg";
import type { Credentials } from "./credentials.ts";

/**
 * Makes what is missing of the two login roles and the database. The owner may create roles, since the
 * migrations do; neither is a superuser.
 * @returns whether the database was made now.
 */
export async function bootstrap(
  admin: ClientBase,
  credentials: Credentials,
  database: string,
): Promise<boolean> {
  await makeRole(admin, "cardbridge_owner", "createrole", credentials.cardbridge_owner);
  await makeRole(admin, "cardbridge_app", "nocreaterole", credentials.cardbridge_app);
  const found = await admin.query("select from pg_database where datname = $1", [database]);
  if (found.rowCount !== 0) return false;
  await admin.query(`create database ${escapeIdentifier(database)} owner cardbridge_owner`);
  return true;
}

async function makeRole(admin: ClientBase, name: string, option: string, password: string): Promise<void> {
  const found = await admin.query("select from pg_roles where rolname = $1", [name]);
  if (found.rowCount !== 0) return;
  await admin.query(`create role ${name} login ${option} password ${escapeLiteral(password)}`);
}
