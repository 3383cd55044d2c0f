/** The API key in an `Authorization: Bearer <key>` header; undefined without one. */
export function bearerKey(authorization = ""): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization)?.[1];
}
