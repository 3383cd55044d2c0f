#!/bin/sh
# Builds both images on a base of Debian packages, without a container registry, and starts them as in production.
# Requires root and:
# apt-get install --no-install-recommends mmdebstrap buildah podman runc nodejs npm (Node 20.19 or newer)
set -eu
cd "$(dirname "$0")/../.."
export BUILDAH_ISOLATION=chroot
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "Building the bases: $suite, and $suite with this machine's Node and npm."
mmdebstrap --quiet --variant=minbase --include=ca-certificates "$suite" "$work/base.tar"
container=$(buildah from scratch)
root=$(buildah mount "$container")
tar -C "$root" -xf "$work/base.tar"
buildah commit -q "$container" localhost/cardbridge-runtime-base
node=$(command -v node) npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
cp -L "$node" "$root/usr/bin/node"
for library in $(ldd "$node" | grep -o '/[^ ]*lib\(atomic\|stdc++\|gcc_s\)\.so[^ ]*'); do cp -L "$library" "$root/usr/lib/"; done
mkdir -p "$root/usr/lib/node_modules"
cp -RL "$npm" "$root/usr/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/bin/npx"
# For a network with its own certificate authority.
[ -z "${NODE_EXTRA_CA_CERTS:-}" ] || {
  cp "$NODE_EXTRA_CA_CERTS" "$root/usr/local/share/ca.crt"
  buildah config --env NODE_EXTRA_CA_CERTS=/usr/local/share/ca.crt "$container"
}
buildah commit -q "$container" localhost/cardbridge-build-base
buildah rm "$container" >/dev/null

# The OCI format does not support HEALTHCHECK.
for image in service:cardbridge console:cardbridge-console; do
  buildah bud --quiet --layers --network host --format docker -f ops/image/Dockerfile --target "${image%%:*}" \
    -t "localhost/${image#*:}" --build-arg BUILD_BASE=localhost/cardbridge-build-base \
    --build-arg RUNTIME_BASE=localhost/cardbridge-runtime-base .
done

image=localhost/cardbridge
run() {
  podman --runtime runc run --rm --read-only --no-healthcheck --network host --cap-drop ALL \
    --security-opt no-new-privileges --ulimit nofile=4096:4096 --ulimit nproc=4096:4096 "$image" "$@"
}
for program in main.js migrate.js cli.js; do echo "$program $(run $program --version)"; done
# A start without settings reports what is missing, after it has loaded all modules.
run main.js 2>&1 | grep -q "^.*DATABASE_URL is missing" || { echo "main.js does not start"; exit 1; }
echo "$(run -p '`node ${process.version}, user ${process.getuid()}`')"
if run -e 'fs.writeFileSync("/opt/cardbridge/x", "")' 2>/dev/null; then echo "the image can be written to"; exit 1; fi
run -e 'fs.accessSync("/opt/cardbridge/docs/index.html"); fs.accessSync("/opt/cardbridge/docs/csp.json")'
podman image inspect "$image" --format '{{.Size}} bytes'

image=localhost/cardbridge-console
echo "console $(run server/main.js --version)"
run server/main.js 2>&1 | grep -q "CARDBRIDGE_URL is missing" || { echo "the console does not start"; exit 1; }
if run -e 'fs.writeFileSync("/opt/cardbridge-console/x", "")' 2>/dev/null; then echo "the image can be written to"; exit 1; fi
podman image inspect "$image" --format '{{.Size}} bytes'
