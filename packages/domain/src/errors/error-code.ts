/** The code of an error of the system, a library or the database, such as ENOENT or 57P03; '' if it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
