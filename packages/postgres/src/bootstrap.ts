import { type ClientBase, escapeIdentifier, escapeLiteral } from "pg";
import type { Credentials } from "./credentials.ts";

/**
 * Creates the two login roles and the database if they are missing. The owner can create roles, because the migrations
 * create a role. Neither role is a superuser.
 * @returns true when this call created the database.
 */
export async function bootstrap(
  admin: ClientBase,
  credentials: Credentials,
  database: string,
): Promise<boolean> {
  await createRole(admin, "cardbridge_owner", "createrole", credentials.cardbridge_owner);
  await createRole(admin, "cardbridge_app", "nocreaterole", credentials.cardbridge_app);
  const found = await admin.query("select from pg_database where datname = $1", [database]);
  if (found.rowCount !== 0) return false;
  await admin.query(`create database ${escapeIdentifier(database)} owner cardbridge_owner`);
  return true;
}

async function createRole(admin: ClientBase, name: string, option: string, password: string): Promise<void> {
  const found = await admin.query("select from pg_roles where rolname = $1", [name]);
  if (found.rowCount !== 0) return;
  await admin.query(`create role ${name} login ${option} password ${escapeLiteral(password)}`);
}
