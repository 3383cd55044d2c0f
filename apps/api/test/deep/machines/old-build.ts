import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const root = fileURLToPath(new URL("../../../../../", import.meta.url));

export interface OldBuild {
  /** The tag, or the start of the commit. */
  version: string;
  /** The folder of its programs. */
  folder: string;
}

/**
 * Builds the last release, in a folder that is removed after the test: its tag, else the last commit that changed its
 * document. Returns the reason if this clone does not have it.
 */
export async function buildLastRelease(): Promise<OldBuild | string> {
  const version = await lastRelease();
  if (version === undefined) return "not run: no last release in this clone";
  const source = await mkdtemp(join(tmpdir(), "cardbridge-release-"));
  onTestFinished(() => rm(source, { recursive: true, force: true }));
  const pnpm = "npx --yes pnpm@10.34.8";
  const { status, stderr } = spawnSync(
    "bash",
    [
      "-euo",
      "pipefail",
      "-c",
      `git archive "$0" | tar -x -C "$1"
       cd "$1" && ${pnpm} install --frozen-lockfile --prefer-offline --reporter=append-only >&2
       cd apps/api && ${pnpm} exec node build.mjs`,
      version,
      source,
    ],
    { cwd: root, encoding: "utf8" },
  );
  if (status === 0) return { version: version.slice(0, 12), folder: join(source, "apps/api/dist") };
  return `not run: ${version} cannot be built: ${stderr.trim().split("\n").at(-1)}`;
}

async function lastRelease(): Promise<string | undefined> {
  const folders = await readdir(join(root, "docs/releases"), { withFileTypes: true });
  const versions = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const [newest] = versions.sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
  const tag = `v${newest}`;
  if (git("rev-parse", "--verify", "--quiet", `${tag}^{commit}`) !== "") return tag;
  // In a shallow clone, every file seems to be of its first commit.
  if (git("rev-parse", "--is-shallow-repository") !== "false") return undefined;
  return git("log", "-1", "--format=%H", "--", `docs/releases/${newest}/openapi.json`) || undefined;
}

function git(...args: string[]): string {
  return spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout?.trim() ?? "";
}
