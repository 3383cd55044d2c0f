import { inject } from "vitest";
import { type Database, type DatabaseOptions, openDatabase as open } from "../../src/database.ts";

/** Opens a database, without prepared statements if the server's pooler does not keep them. */
export const openDatabase = (options: DatabaseOptions): Database =>
  open({ preparedStatements: inject("server").preparedStatements, ...options });
