import { spawnSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { pnpm, root } from "../bootstrap.mjs";
import { sha256, writeArchive } from "./archive.mjs";
import { filesBelow, licensesText, readComponents, softwareBill } from "./components.mjs";

/*
 * npm run release: writes the archive of the service, the packed clients and their checksums. A commit gives the same bytes
 * in every folder and at every time, on the machines of one platform, because sharp, the image library, is native.
 */
const { values } = parseArgs({
  options: { folder: { type: "string", default: "release" }, built: { type: "boolean", default: false } },
});
const folder = resolve(values.folder);
const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
const apps = ["apps/api", "apps/console", "apps/docs"];
const clients = ["cardbridge-client", "cardbridge-trpc-client"];

// A test passes --built: turbo has built before it, and other tests run what it built.
if (!values.built) {
  console.log("Building the service, the console, the documentation and the clients…");
  const filters = apps.map((path) => `--filter=./${path}`);
  pnpm(["exec", "turbo", "run", "build", "--ui=stream", ...filters], { quiet: true });
}
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const name of clients) {
  await cp(join(root, `apps/docs/dist/client/${name}.tgz`), join(folder, `${name}-${version}.tgz`));
}

console.log("Packing the archive…");
const components = await readComponents();
const archive = `cardbridge-${version}-${process.platform}-${process.arch}.tar.gz`;
await writeArchive(join(folder, archive), `cardbridge-${version}`, {
  ...(await built("apps/api/dist", "")),
  ...(await built("apps/console/dist", "console/")),
  ...(await built("apps/docs/dist", "docs/")),
  ...Object.fromEntries(trackedFiles("ops").map((path) => [path, join(root, path)])),
  // kustomize reads no file outside of its folder.
  "ops/kubernetes/backup/cardbridge-backup": join(root, "ops/backup/cardbridge-backup"),
  "CHANGELOG.md": join(root, "CHANGELOG.md"),
  "LICENSES.txt": { text: licensesText(components) },
  "sbom.cdx.json": { text: softwareBill(version, components) },
});

const names = (await readdir(folder)).sort();
const lines = await Promise.all(
  names.map(async (name) => `${sha256(await readFile(join(folder, name)))}  ${name}\n`),
);
await writeFile(join(folder, "SHA256SUMS"), lines.join(""));
console.log(`\nWrote into ${relative(process.cwd(), folder)}, with SHA256SUMS:\n\n${lines.join("")}`);

/** The files of a build by their places in the archive, without the maps of the console's pages. */
async function built(path, place) {
  const files = await filesBelow(path);
  const placed = files.map((file) => [place + relative(join(root, path), file), file]);
  return Object.fromEntries(placed.filter(([target]) => !/^console\/web\/.*\.map$/.test(target)));
}

/** Only what git tracks: an operator may have secrets beside the examples. */
function trackedFiles(path) {
  const { status, stdout } = spawnSync("git", ["ls-files", "-z", path], { cwd: root, encoding: "utf8" });
  if (status === 0) return stdout.split("\0").filter((each) => each !== "");
  console.error("A release is made in a clone: git names the files of ops that belong to it.");
  process.exit(1);
}
