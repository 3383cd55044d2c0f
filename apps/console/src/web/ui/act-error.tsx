import { effectOf, shownError } from "../api/problem.ts";
import { shared } from "../lib/words.ts";
import { Notice } from "./notice.tsx";
import { RequestId } from "./request-id.tsx";

interface Props {
  /** Nothing is shown without one. */
  error: unknown;
  /** Says more than the service does. */
  text?: string | undefined;
  /** The act only reads, so nothing took effect. */
  reads?: boolean | undefined;
}

/** Why an act did not succeed, whether it may have taken effect, and the request id to report. */
export function ActError({ error, text, reads }: Props) {
  if (!error) return null;
  const { kind, message, requestId } = shownError(error);
  // The sign-in says so.
  if (kind === "signed-out") return null;
  const fallback =
    kind === "offline" || kind === "unavailable" || kind === "limited"
      ? shared.errors[kind]
      : shared.errors.unexpected;
  return (
    <div role="alert">
      <Notice meaning={kind === "conflict" ? "attention" : "bad"}>
        <p>{text ?? (message || fallback)}</p>
        {!text && <p>{effectOf(error, reads)}</p>}
        {kind !== "conflict" && <RequestId id={requestId} />}
      </Notice>
    </div>
  );
}
