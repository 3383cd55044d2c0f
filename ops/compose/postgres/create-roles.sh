#!/bin/sh
# Creates the roles and the database of docs/operate/install.md, and the login role of docs/operate/backup.md. The PostgreSQL
# image runs it on its first start.
set -eu
psql --set ON_ERROR_STOP=1 --username postgres --dbname postgres \
  --set owner_password="$(cat /run/secrets/owner-password)" \
  --set app_password="$(cat /run/secrets/app-password)" \
  --set backup_password="$(cat /run/secrets/backup-password)" <<'SQL'
create role cardbridge_owner login createrole password :'owner_password';
create role cardbridge_app login password :'app_password';
create database cardbridge owner cardbridge_owner;
-- The migration would create the group role later.
set role cardbridge_owner;
create role cardbridge_backup;
reset role;
create role backup_login login password :'backup_password' in role cardbridge_backup;
SQL
