const texts: Record<string, string> = {
  ECONNREFUSED: "nothing listens at its address",
  ECONNRESET: "it closes the connection",
  ENOTFOUND: "its host is not known",
  EAI_AGAIN: "its host cannot be resolved",
  timeout: "it does not respond",
  "connect-timeout": "it does not respond",
  "query-timeout": "it does not respond",
  "connection-lost": "the connection broke",
  "tls-unsupported": "it does not support TLS",
  "server-in-recovery": "it is a standby",
  "server-replaced": "another server has taken over",
  "25006": "it is read-only",
  "26000": "its pooler keeps no prepared statements; set DATABASE_PREPARED_STATEMENTS=false",
  "42P05": "its pooler keeps no prepared statements; set DATABASE_PREPARED_STATEMENTS=false",
  "28P01": "the role or its password is wrong",
  "28000": "the role may not connect",
  "3D000": "there is no database of this name",
  NoSuchBucket: "there is no bucket of this name",
  AccessDenied: "the access key may not use the bucket",
  InvalidAccessKeyId: "the access key is not known",
  SignatureDoesNotMatch: "the secret access key is wrong",
  ENOENT: "the folder does not exist",
  EACCES: "this user may not write to the folder",
  EROFS: "the file system is read-only",
  full: "it is full, or has less than 64 MB of free space",
};

/** Explains a reason of the database or the file store to an operator, and adds it in brackets. */
export function explainReason(reason: string): string {
  return `${texts[reason] ?? "it failed"} (${reason})`;
}
