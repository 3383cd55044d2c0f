import { join } from "node:path";
import { folderProblem } from "@cardbridge/files";
import type { Variables } from "../config/checks.ts";

interface FolderVariables {
  FILES_DIR?: string | undefined;
  DATA_DIR?: string | undefined;
}

/** The folder for files without an S3 bucket, and the variable that configures it. */
export function filesFolder({ FILES_DIR, DATA_DIR = ".data" }: FolderVariables): {
  name: string;
  folder: string;
} {
  return FILES_DIR === undefined
    ? { name: "DATA_DIR", folder: join(DATA_DIR, "files") }
    : { name: "FILES_DIR", folder: FILES_DIR };
}

/** The problems of the files' folder, with the name of its variable. Empty with a usable folder or an S3 bucket. */
export function folderReasons(variables: Variables): string[] {
  if (variables.FILES_S3_ENDPOINT !== undefined) return [];
  if (variables.NODE_ENV === "production" && variables.FILES_DIR === undefined) return [];
  const { name, folder } = filesFolder(variables);
  const problem = folderProblem(folder);
  return problem === null ? [] : [`${name}: ${folder} ${problem}`];
}
