import { removedVariables } from "../../../src/config/variables.ts";

/** Words of the pages that no code of ours defines. Each list is for one kind of statement. A test keeps them short. */

/** Variables that Node, OpenTelemetry's exporter and psql read. */
export const foreignVariables = [
  "COMPOSE_PROFILES",
  "NODE_EXTRA_CA_CERTS",
  "OTEL_EXPORTER_OTLP_COMPRESSION",
  "ON_ERROR_STOP",
];

/** Words of SQL, of systems, of Redis, and titles of the command line's tables. */
export const foreignNames = [
  "CHECK",
  "CREATEROLE",
  "FATAL",
  "OAUTH_WWW_AUTHENTICATE_CHALLENGE",
  "READONLY",
  "WRONGPASS",
];

/** The client of tRPC sends it, and tRPC reads it. */
export const foreignHeaders = ["Last-Event-ID"];

/** Flags of Node, Docker and PostgreSQL. */
export const foreignFlags = ["--build-arg", "--role"];

/** Packages, modules, settings of PostgreSQL and PgBouncer, a form, and codes of a provider that the sandbox never answers with. */
export const foreignWords = [
  "sdk-node",
  "prometheus-node-exporter",
  "node:http",
  "node_modules",
  "npm_node_execpath",
  "max_connections",
  "pg_upgrade",
  "pg_stat_archiver",
  "last_failed_time",
  "last_archived_time",
  "recovery_target_time",
  "status-403",
  "version:key",
  "in_progress",
  "rate_limited",
  "pg_rewind",
  "pg_shadow",
  "pg_stat_replication",
  "cluster_name",
  "in_hot_standby",
  "wal_log_hints",
  "etcd-server",
  "auth_query",
  "cl_waiting",
  "default_pool_size",
  "ignore_startup_parameters",
  "max_client_conn",
  "server_lifetime",
  "server_login_retry",
  "offline_access",
  "invalid_target",
  "invalid_client",
  "access_denied",
];

/** Files of other projects. */
export const foreignFiles = ["docs/AIRWALLEX-INTEGRATION.md", "api_traps.md", "card-provisioning/SKILL.md"];

/** Paths that exist where programs run, and not in the project. */
export const foreignPaths =
  /^(?:\.data|node_modules|secrets|postgres|credentials\.json|person\.json|access)(?:\/|$)/;

/** What docs/contribute/adding-an-operation.md adds as an example. */
export const examples = [
  "cards.count",
  "packages/operations/src/cards/count.ts",
  "packages/operations/test/cards/count.test.ts",
];

/** What a page names as removed, or as a former name. */
export const formerNames = Object.keys(removedVariables);
