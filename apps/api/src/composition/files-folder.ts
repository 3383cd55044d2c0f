import { join } from "node:path";
import { folderProblem } from "@cardbridge/files";
import type { Variables } from "../config/checks.ts";

interface Places {
  FILES_DIR?: string | undefined;
  DATA_DIR?: string | undefined;
}

/** The folder of files where no bucket is configured, and the variable that names it. */
export function filesFolder({ FILES_DIR, DATA_DIR = ".data" }: Places): { name: string; folder: string } {
  return FILES_DIR === undefined
    ? { name: "DATA_DIR", folder: join(DATA_DIR, "files") }
    : { name: "FILES_DIR", folder: FILES_DIR };
}

/** Why the folder of files cannot be used, by the name of its variable; none where it can, or where there is a bucket. */
export function folderReasons(variables: Variables): string[] {
  if (variables.FILES_S3_ENDPOINT !== undefined) return [];
  if (variables.NODE_ENV === "production" && variables.FILES_DIR === undefined) return [];
  const { name, folder } = filesFolder(variables);
  const problem = folderProblem(folder);
  return problem === null ? [] : [`${name}: ${folder} ${problem}`];
}
