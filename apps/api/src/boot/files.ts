import { join } from "node:path";
import type { ListedBlobs } from "@cardbridge/domain";
import {
  type BlobStore,
  createClamdScan,
  createFolderBlobs,
  createS3Blobs,
  folderProblem,
  isFolderUnused,
} from "@cardbridge/files";
import type { Variables } from "@cardbridge/node";
import type { Env } from "../config/env.ts";

/** The time limit of a scan, in milliseconds. */
const scanMs = 15_000;

/** Opens the store of encrypted files: the configured S3 bucket, or a folder. */
export async function openBlobs(env: Env): Promise<BlobStore> {
  const {
    FILES_S3_ENDPOINT: endpoint,
    FILES_S3_BUCKET: bucket,
    FILES_S3_REGION: region,
    FILES_S3_ACCESS_KEY_ID: accessKeyId,
    FILES_S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = env;
  if (endpoint && bucket && accessKeyId && secretAccessKey) {
    // Path style works with every S3 store. Virtual hosts would need DNS names and certificates.
    return createS3Blobs({ endpoint, bucket, region, accessKeyId, secretAccessKey, pathStyle: true });
  }
  return createFolderBlobs(filesFolder(env).folder);
}

/** Creates blobs that open on first use, because opening creates the files' folder. */
export function lazyBlobs(env: Env): ListedBlobs {
  let opened: Promise<ListedBlobs> | undefined;
  const open = () => {
    opened ??= openBlobs(env);
    return opened;
  };
  return {
    put: async (name, blob) => (await open()).put(name, blob),
    create: async (name, blob) => (await open()).create(name, blob),
    get: async (name) => (await open()).get(name),
    addressOf: async (name) => (await open()).addressOf(name),
    delete: async (name) => (await open()).delete(name),
    async *list() {
      yield* (await open()).list();
    },
  };
}

interface FolderVariables {
  FILES_DIR?: string | undefined;
  DATA_DIR?: string | undefined;
}

/** The folder for files without an S3 bucket, and the variable that configures it. */
function filesFolder({ FILES_DIR, DATA_DIR = ".data" }: FolderVariables): { name: string; folder: string } {
  return FILES_DIR === undefined
    ? { name: "DATA_DIR", folder: join(DATA_DIR, "files") }
    : { name: "FILES_DIR", folder: FILES_DIR };
}

/** Whether the store of files exists already: an S3 bucket, or a folder that was used. */
export const hasFiles = (variables: FolderVariables & { FILES_S3_ENDPOINT?: string | undefined }): boolean =>
  variables.FILES_S3_ENDPOINT !== undefined || !isFolderUnused(filesFolder(variables).folder);

/** The problems of the files' folder, with the name of its variable. Empty with a usable folder or an S3 bucket. */
export function folderReasons(variables: Variables): string[] {
  if (variables.FILES_S3_ENDPOINT !== undefined) return [];
  if (variables.NODE_ENV === "production" && variables.FILES_DIR === undefined) return [];
  const { name, folder } = filesFolder(variables);
  const problem = folderProblem(folder);
  return problem === null ? [] : [`${name}: ${folder} ${problem}`];
}

/** Creates the virus scan, if it is configured. */
export function virusScan({ CLAMD_URL: url }: Env) {
  return url === undefined ? undefined : createClamdScan({ url, timeoutMs: scanMs });
}
