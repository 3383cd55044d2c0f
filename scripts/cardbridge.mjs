import { existsSync, readdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { bootstrap, pnpm, root } from "./bootstrap.mjs";

/* pnpm cardbridge …, its first half: installs and builds the command line. Standard output is the command's alone. */
process.chdir(root);
const program = "apps/api/dist/cli.js";
const packages = readdirSync("packages").map((name) => join("packages", name));
const sources = [
  "pnpm-lock.yaml",
  "apps/api/build.mjs",
  ...["apps/api", ...packages].map((path) => join(path, "src")),
];

// turbo knows what is built, but takes a second to say so.
if (!existsSync(program) || sources.some((path) => isNewer(path, statSync(program).mtimeMs))) {
  const begun = new Date();
  bootstrap({ quiet: true });
  pnpm(["exec", "turbo", "run", "build", "--filter=@cardbridge/api", "--ui=stream"], { quiet: true });
  utimesSync(program, begun, begun);
}

/** Whether a file, or anything in a folder, changed after a moment in milliseconds. */
function isNewer(path, moment) {
  const inside = statSync(path).isDirectory() ? readdirSync(path, { recursive: true }) : [];
  return [path, ...inside.map((name) => join(path, name))].some((each) => statSync(each).mtimeMs > moment);
}
