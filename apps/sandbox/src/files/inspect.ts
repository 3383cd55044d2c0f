import { hasFetchTag } from "../scenarios/choose.ts";
import type { Submission } from "../wire.ts";
import type { FetchFile } from "./fetch.ts";
import type { FetchedFile } from "./fetched-file.ts";
import { filesOf } from "./submission-files.ts";

/** Fetches and checks the files of a submission, until the signal aborts. Never rejects. */
export type InspectFiles = (submission: Submission, signal: AbortSignal) => Promise<FetchedFile[]>;

interface InspectOptions {
  fetchFile: FetchFile;
  /** Whether a file is fetched without the tag `fetch`. */
  isFetched: (url: string) => boolean;
}

/** Fetches all files concurrently and checks that each has a type that its field allows. */
export function createInspectFiles({ fetchFile, isFetched }: InspectOptions): InspectFiles {
  return (submission, signal) => {
    const all = hasFetchTag(submission);
    const files = filesOf(submission).filter(({ url }) => all || isFetched(url));
    return Promise.all(
      files.map(async ({ field, url, allowedTypes }) => {
        const fetched = { field, ...(await fetchFile(url, signal)) };
        const { fault, contentType } = fetched;
        if (fault !== undefined || allowedTypes.some((type) => type === contentType)) return fetched;
        const pdf = allowedTypes.includes("application/pdf") ? " or a PDF" : "";
        return { ...fetched, fault: `is not a JPEG, PNG, WebP or HEIC image${pdf}` };
      }),
    );
  };
}
