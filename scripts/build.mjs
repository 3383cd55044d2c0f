import { existsSync, readdirSync, statSync, utimesSync } from "node:fs";
import { join, relative } from "node:path";
import { pnpm, root } from "./bootstrap.mjs";

const apps = ["api", "sandbox"].map((name) => join(root, "apps", name));
// The client is built for other apps and is not part of the programs.
const packages = readdirSync(join(root, "packages"))
  .filter((name) => !name.endsWith("client"))
  .map((name) => join(root, "packages", name));
const programs = apps.map((folder) => join(folder, "dist", "main.js"));
const sources = [
  join(root, "package.json"),
  join(root, "pnpm-lock.yaml"),
  join(root, "apps", "api", "samples"),
  ...[...apps, ...packages].flatMap((folder) =>
    ["build.mjs", "package.json", "src"].map((name) => join(folder, name)),
  ),
].filter((path) => existsSync(path));

/**
 * Builds the programs unless they are newer than all of their sources. turbo checks this too, but takes a second.
 *
 * @param announce called before a build, which takes some seconds
 */
export function build(announce = () => {}) {
  const built = Math.min(...programs.map((path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0));
  if (!sources.some((path) => isNewer(path, built))) return;
  announce();
  const begun = new Date();
  const filters = apps.map((folder) => `--filter=./${relative(root, folder)}`);
  pnpm(["exec", "turbo", "run", "build", "--ui=stream", ...filters], { quiet: true });
  for (const path of programs) utimesSync(path, begun, begun);
}

/** Whether a file, or anything in a folder, changed after a time in milliseconds. */
export function isNewer(path, time) {
  const inside = statSync(path).isDirectory() ? readdirSync(path, { recursive: true }) : [];
  return [path, ...inside.map((name) => join(path, name))].some((each) => statSync(each).mtimeMs > time);
}
