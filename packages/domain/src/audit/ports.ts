/** A file of an archive. A file that is not finished is not left. */
export interface AuditFile {
  append(text: string): Promise<void>;
  /** Flushes the file and gives it its name. Returns its SHA-256 in hexadecimal. */
  finish(): Promise<string>;
  /** Removes the file, unless it is finished. */
  discard(): Promise<void>;
}

/** Where exported months are written. */
export interface AuditArchive {
  /** @throws Failure INVALID_INPUT if the folder cannot be used. */
  open(folder: string, file: string): Promise<AuditFile>;
}
