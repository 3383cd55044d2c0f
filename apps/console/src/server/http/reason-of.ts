/**
 * The kind of an error, for the log: the code that the issuer sent, else that of the library or of the system. A message could
 * have a token.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const {
    error: sent,
    code,
    cause,
  } = error as { error?: unknown; code?: unknown; cause?: { code?: unknown } };
  const codes = [sent, code, cause?.code];
  return (
    codes.find((one) => typeof one === "string" && /^[A-Za-z0-9_]{1,60}$/.test(one))?.toString() ?? error.name
  );
}
