import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { ServiceFacts } from "./adapt.ts";
import { type Build, policyFile, readBuild } from "./build.ts";

/** The documentation site of a folder, which may be built, or built again, while the service runs. */
export interface Site {
  /** The current build, or undefined while there is none. */
  current(): Promise<Build | undefined>;
  /** Whether there is a build. It does not read the build, so it never fails. */
  isBuilt(): Promise<boolean>;
}

/** Opens the site of a folder. Its build is complete once it has the hashes of its scripts. */
export function openSite(folder: string, facts: ServiceFacts): Site {
  // A promise, so that concurrent first requests share one build and its contents.
  let known: { version: string; build: Promise<Build> } | undefined;
  const version = () => versionOf(join(folder, policyFile));
  return {
    isBuilt: async () => (await version()) !== undefined,
    async current() {
      const found = await version();
      if (found === undefined) return undefined;
      if (known?.version !== found) known = { version: found, build: readBuild(folder, facts) };
      const { build } = known;
      return build.catch((error: unknown) => {
        if (known?.build === build) known = undefined;
        throw error;
      });
    },
  };
}

/** Changes with each build. A file without access counts as absent. */
async function versionOf(path: string): Promise<string | undefined> {
  const { ino, mtimeMs, size } = await stat(path).catch(() => ({ ino: 0, mtimeMs: 0, size: 0 }));
  return size === 0 ? undefined : `${ino} ${mtimeMs} ${size}`;
}
