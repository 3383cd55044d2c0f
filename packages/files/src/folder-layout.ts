/** Where a blob is written before it has its name; no blob has this one. */
export const unfinishedFolder = ".unfinished";

/** How a file system says that it has no room. */
export const full: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
