import {
  type FileLimits,
  type FileUse,
  filesOf,
  fileUrl,
  internalPlatformId,
  memberId,
  type RawInput,
  type Violation,
} from "@cardbridge/domain";
import type { Call } from "../operation/call.ts";
import type { Ports } from "../operation/ports.ts";

/**
 * The violations of the uploads that a submission names, whose other fields need not be valid (gap G3). A submission checks
 * the files again, in its transaction.
 * @throws Failure SERVICE_UNAVAILABLE.
 */
export async function fileViolations(
  { users, files, fileUrls }: Pick<Ports, "users" | "files" | "fileUrls">,
  { platformId }: Pick<Call, "platformId">,
  submission: RawInput,
  accepts: FileLimits | undefined,
): Promise<Violation[]> {
  // Without a platform there are no files, and the call has another violation.
  if (platformId === internalPlatformId) return [];
  const { uses, unknown } = ownFiles(submission, fileUrls, accepts);
  if (uses.length === 0) return unknown;
  const { data: name } = memberId.safeParse(submission.memberId);
  const user = name === undefined ? undefined : await users.find(platformId, { memberId: name });
  // Without a valid memberId, the check leaves out whose the files are.
  const userId = name === undefined ? undefined : (user?.externalUserId ?? null);
  return [...unknown, ...(await files.check(platformId, uses, userId))];
}

/** The uploads that a submission names, with the provider's limits, and the violations of other URLs under our address. */
export function ownFiles(
  submission: RawInput,
  fileUrls: Pick<Ports["fileUrls"], "fileIdOf">,
  accepts: FileLimits | undefined,
): { uses: FileUse[]; unknown: Violation[] } {
  const named = filesOf(submission)
    .filter(({ url }) => fileUrl.safeParse(url).success)
    .map(({ url, ...file }) => ({ ...file, fileId: fileUrls.fileIdOf(url) }));
  return {
    uses: named.flatMap(({ fileId, ...file }) =>
      fileId ? [{ ...file, fileId, ...(accepts ? { accepts } : {}) }] : [],
    ),
    unknown: named.filter(({ fileId }) => fileId === null).map(unknownFile),
  };
}

function unknownFile({ path }: { path: (string | number)[] }): Violation {
  return { path, rule: "file-unknown", message: "Send the url of an upload without changes." };
}
