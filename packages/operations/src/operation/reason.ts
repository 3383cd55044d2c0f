/**
 * Why something failed, in a word: a code of the system or the database, a reason of ours such as
 * `not-authentic`, or the error's kind. Never a sentence, which may quote a value.
 */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "unknown";
  if ("code" in cause && typeof cause.code === "string") return cause.code;
  return /^[a-z0-9-]{1,40}$/.test(cause.message) ? cause.message : cause.name;
}
