import type { FetchedFile } from "./entries.ts";
import type { FetchFile } from "./fetch-file.ts";
import { filesOf } from "./files.ts";
import { fetchesAll } from "./scenarios.ts";
import type { Submission } from "./wire.ts";

/** Looks at files of a submission, until a signal gives it up: what was fetched, with what was wrong with it; never rejects. */
export type Inspect = (submission: Submission, signal: AbortSignal) => Promise<FetchedFile[]>;

interface InspectionOptions {
  fetchFile: FetchFile;
  /** Whether a file is fetched without being asked for by the tag `fetch`. */
  isFetched: (url: string) => boolean;
}

/** Fetches the files all at once, and wants them to be what their fields are for. */
export function createInspection({ fetchFile, isFetched }: InspectionOptions): Inspect {
  return (submission, signal) => {
    const all = fetchesAll(submission.applicant.email);
    const files = filesOf(submission).filter(({ url }) => all || isFetched(url));
    return Promise.all(
      files.map(async ({ field, url, types }) => {
        const fetched = { field, ...(await fetchFile(url, signal)) };
        const { fault, contentType } = fetched;
        if (fault !== undefined || types.some((type) => type === contentType)) return fetched;
        const pdf = types.includes("application/pdf") ? " and no PDF" : "";
        return { ...fetched, fault: `is no JPEG, PNG, WebP or HEIC image${pdf}` };
      }),
    );
  };
}
