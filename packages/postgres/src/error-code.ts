/** The system error code or the SQLSTATE of an error, such as ENOENT or 57P03; '' when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
