#!/bin/sh
# Creates the two roles and the database of docs/operate/install.md. The PostgreSQL image runs it on its first start.
set -eu
psql --set ON_ERROR_STOP=1 --username postgres --dbname postgres \
  --set owner_password="$(cat /run/secrets/owner-password)" \
  --set app_password="$(cat /run/secrets/app-password)" <<'SQL'
create role cardbridge_owner login createrole password :'owner_password';
create role cardbridge_app login password :'app_password';
create database cardbridge owner cardbridge_owner;
SQL
