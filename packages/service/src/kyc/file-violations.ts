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
 * Returns the violations of the uploads in a submission, whose other fields may be invalid (gap G3). A submission
 * checks the files again in its transaction.
 * @throws Failure SERVICE_UNAVAILABLE.
 */
export async function fileViolations(
  { users, files, fileUrls }: Pick<Ports, "users" | "files" | "fileUrls">,
  { platformId }: Pick<Call, "platformId">,
  submission: RawInput,
  accepts: FileLimits | undefined,
): Promise<Violation[]> {
  // A call without a platform has no files, and already has another violation.
  if (platformId === internalPlatformId) return [];
  const { uses, unknown } = ownFiles(submission, fileUrls, accepts);
  if (uses.length === 0) return unknown;
  const { data: name } = memberId.safeParse(submission.memberId);
  const user = name === undefined ? undefined : await users.find(platformId, { memberId: name });
  // Without a valid memberId, the check ignores the owners of the files.
  const userId = name === undefined ? undefined : (user?.externalUserId ?? null);
  return [...unknown, ...(await files.check(platformId, uses, userId))];
}

/** The uploads in a submission, with the provider's limits, and the violations of other URLs of this service. */
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
  return { path, rule: "file-unknown", message: "Send the url of an upload unchanged." };
}
