import pg from "pg";
import { env } from "./env.js";
import { hashOf } from "./seal.js";

const tables = `
create table if not exists platforms (
  id text primary key,
  name text not null
);
create table if not exists api_keys (
  hash bytea primary key,
  platform_id text not null references platforms (id),
  scopes text[] not null,
  revoked_at timestamptz
);
create table if not exists users (
  id bigint generated always as identity primary key,
  platform_id text not null references platforms (id),
  member_id text not null,
  email text not null,
  external_user_id text not null unique,
  created_at timestamptz not null default now(),
  unique (platform_id, member_id),
  unique (platform_id, email)
);
create table if not exists kyc_records (
  id text primary key,
  user_id bigint not null references users (id),
  fingerprint bytea not null,
  sealed bytea not null,
  settlement text not null default 'unsettled',
  status text,
  sub_status text,
  card_account_id text,
  created_at timestamptz not null default now()
);
create index if not exists kyc_records_latest on kyc_records (user_id, created_at desc);
create table if not exists kyc_history (
  id bigint generated always as identity primary key,
  record_id text not null references kyc_records (id),
  status text,
  sub_status text,
  source text not null,
  observed_at timestamptz not null default now()
);
create index if not exists kyc_history_of on kyc_history (record_id);
create table if not exists audit (
  id bigint generated always as identity primary key,
  platform_id text not null references platforms (id),
  actor text not null,
  act text not null,
  subject text not null,
  request_id text not null,
  acted_at timestamptz not null default now()
);`;

const scopes = ["cards:read", "kyc:write"];

/** Makes a peer's tables in a schema of its own, with one platform, its key, and so many members. */
export async function createTables(schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: env.databaseUrl });
  await client.connect();
  await client.query(`create schema if not exists ${schema}; set search_path to ${schema}; ${tables}`);
  await client.query("insert into platforms values ('bench', 'Bench') on conflict do nothing");
  const key =
    "insert into api_keys (hash, platform_id, scopes) values ($1, 'bench', $2) on conflict do nothing";
  await client.query(key, [hashOf(env.key), scopes]);
  const members =
    "select 'bench', 'member-' || n, 'member-' || n || '@example.com', 'usr_bench_' || n from generate_series(1, $1) as n";
  const columns = "platform_id, member_id, email, external_user_id";
  await client.query(`insert into users (${columns}) ${members} on conflict do nothing`, [env.memberCount]);
  await client.end();
}
