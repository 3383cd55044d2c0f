/** The folder of files that are still being written. No blob can have this name. */
export const unfinishedFolder = ".unfinished";

/** The file with the folder's identity. No blob can have this name. */
export const identityFile = ".store-id";

/** The error codes of a file system without free space. */
export const noSpaceCodes: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
