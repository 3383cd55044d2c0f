import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { ServiceFacts } from "./adapt.ts";
import { type Build, policyFile, readBuild } from "./build.ts";

/** The documentation site of a folder, which may be built, or built again, while the service runs. */
export interface Site {
  /** The current build, or undefined while there is none. */
  current(): Promise<Build | undefined>;
}

/** Opens the site of a folder. Its build is complete once it has the hashes of its scripts. */
export function openSite(folder: string, facts: ServiceFacts): Site {
  let known: { version: string; build: Build } | undefined;
  return {
    async current() {
      const version = await versionOf(join(folder, policyFile));
      if (version === undefined) return undefined;
      if (known?.version !== version) known = { version, build: await readBuild(folder, facts) };
      return known.build;
    },
  };
}

/** Changes with each build. A file without access counts as absent. */
async function versionOf(path: string): Promise<string | undefined> {
  const { ino, mtimeMs, size } = await stat(path).catch(() => ({ ino: 0, mtimeMs: 0, size: 0 }));
  return size === 0 ? undefined : `${ino} ${mtimeMs} ${size}`;
}
