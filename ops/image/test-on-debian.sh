#!/bin/sh
# Builds the image from a release on a base of Debian packages, without a container registry, and starts it as in production.
# Requires root and:
# apt-get install --no-install-recommends mmdebstrap buildah podman runc nodejs npm (Node 20.19 or newer)
set -eu
cd "$(dirname "$0")/../.."
export BUILDAH_ISOLATION=chroot
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

npm run release
mkdir "$work/release"
tar -xzf release/cardbridge-*.tar.gz --strip-components=1 -C "$work/release"

echo "Building the bases: $suite, and $suite with the project's Node."
mmdebstrap --quiet --variant=minbase --include=ca-certificates "$suite" "$work/base.tar"
container=$(buildah from scratch)
root=$(buildah mount "$container")
tar -C "$root" -xf "$work/base.tar"
buildah commit -q "$container" localhost/cardbridge-runtime-base
cp -L node_modules/.bin/node "$root/usr/bin/node"
buildah commit -q "$container" localhost/cardbridge-node-base
buildah rm "$container" >/dev/null

cd "$work/release"
buildah bud --quiet --network host -f ops/image/Dockerfile -t localhost/cardbridge \
  --build-arg NODE_BASE=localhost/cardbridge-node-base --build-arg RUNTIME_BASE=localhost/cardbridge-runtime-base .

image=localhost/cardbridge
run() {
  podman --runtime runc run --rm --read-only --network host --cap-drop ALL \
    --security-opt no-new-privileges --ulimit nofile=4096:4096 --ulimit nproc=4096:4096 "$image" "$@"
}
for program in main.js migrate.js cli.js console/server/main.js; do echo "$program $(run $program --version)"; done
# A start without settings reports what is missing, after it has loaded all modules.
run main.js 2>&1 | grep -q "^.*DATABASE_URL is missing" || { echo "main.js does not start"; exit 1; }
run console/server/main.js 2>&1 | grep -q "CARDBRIDGE_URL is missing" || { echo "the console does not start"; exit 1; }
echo "$(run -p '`node ${process.version}, user ${process.getuid()}`')"
if run -e 'fs.writeFileSync("/opt/cardbridge/x", "")' 2>/dev/null; then echo "the image can be written to"; exit 1; fi
run -e 'fs.accessSync("/opt/cardbridge/docs/index.html"); fs.accessSync("/opt/cardbridge/docs/csp.json")'
podman image inspect "$image" --format '{{.Size}} bytes'
