create table platforms (
  id text primary key,
  name text not null
);
create table api_keys (
  hash bytea primary key,
  platform_id text not null references platforms (id),
  scopes text[] not null,
  revoked_at timestamptz
);
create table users (
  id bigint generated always as identity primary key,
  platform_id text not null references platforms (id),
  member_id text not null,
  email text not null,
  external_user_id text not null unique,
  created_at timestamptz not null default now(),
  unique (platform_id, member_id),
  unique (platform_id, email)
);
create table kyc_records (
  id text primary key,
  user_id bigint not null references users (id),
  fingerprint bytea not null,
  encrypted bytea not null,
  resolution text not null default 'unresolved',
  status text,
  sub_status text,
  card_account_id text,
  created_at timestamptz not null default now()
);
create index kyc_records_latest on kyc_records (user_id, created_at desc);
create table kyc_history (
  id bigint generated always as identity primary key,
  record_id text not null references kyc_records (id),
  status text,
  sub_status text,
  source text not null,
  observed_at timestamptz not null default now()
);
create index kyc_history_of on kyc_history (record_id);
create table audit (
  id bigint generated always as identity primary key,
  platform_id text not null references platforms (id),
  actor text not null,
  act text not null,
  subject text not null,
  request_id text not null,
  acted_at timestamptz not null default now()
);
