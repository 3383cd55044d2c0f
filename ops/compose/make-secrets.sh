#!/bin/sh
# Writes random secrets for compose.yaml into the folder `secrets`. Does not change existing files.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
# The containers read the files as their own users. The mode of the folder excludes other users of this machine.
chmod 0700 secrets
umask 0022
put() { [ -s "secrets/$1" ] || printf '%s' "$2" > "secrets/$1"; }

put postgres-password "$(openssl rand -hex 24)"
put owner-password "$(openssl rand -hex 24)"
put app-password "$(openssl rand -hex 24)"
put backup-password "$(openssl rand -hex 24)"
put grafana-password "$(openssl rand -hex 24)"
put fingerprint-key "$(openssl rand -base64 48)"
put key-ring "1:$(openssl rand -base64 32)"
put database-url "postgres://cardbridge_app:$(cat secrets/app-password)@postgres/cardbridge"
put backup-database-url "postgres://backup_login:$(cat secrets/backup-password)@postgres/cardbridge"
put migration-database-url "postgres://cardbridge_owner:$(cat secrets/owner-password)@postgres/cardbridge"

for name in provider-client-secret provider-events-secrets; do
  [ -s "secrets/$name" ] || echo "Write the provider's secret to $PWD/secrets/$name."
done
for name in console-key oidc-client-secret; do
  [ -s "secrets/$name" ] || echo "For the console, write $PWD/secrets/$name: docs/operate/console.md, \"Compose\"."
done
