import type { FetchedFile } from "../files/fetched-file.ts";
import { whyOf } from "../scenarios/choose.ts";
import type { Refusal } from "../state/state.ts";

/** Why a submission is refused, in the format of the contract: because of its files, or because of its tags. */
export function whyRefused({ request, files }: Pick<Refusal, "request" | "files">): ReturnType<typeof whyOf> {
  const reasons = files.filter(({ fault }) => fault !== undefined).map(toReason);
  return reasons.length > 0 ? { reasons } : whyOf(request);
}

/** A file that was read completely has the wrong type. */
function toReason({ field, size }: FetchedFile) {
  return { code: size === undefined ? "file_unreachable" : "file_type_unsupported", field };
}
