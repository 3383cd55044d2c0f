/** The files of a submission, as its adapter needs them: the bytes or a URL. */
export interface ProviderFiles {
  /**
   * Opens a file and decrypts it for this call only. Its size is bounded, and `stream()` reads it in parts. An adapter
   * opens one file at a time.
   * @throws Failure FILE_NOT_FOUND, SERVICE_UNAVAILABLE; ExternalFileError for an external URL.
   */
  open(fileUrl: string): Promise<Blob>;
  /**
   * A URL that the provider can fetch without a key. The URL of an upload is signed for a short time; any other URL is
   * unchanged.
   */
  url(fileUrl: string): string;
}

/** Reads files at external URLs. Its connections reach public addresses only. */
export interface ExternalFiles {
  /** Reads a file within limits of time and size. @throws ExternalFileError. */
  read(url: string): Promise<Blob>;
}

/** An external file that could not be read. The message never contains its URL. */
export class ExternalFileError extends Error {
  /** The reason, from a closed list, such as `address-refused`. */
  readonly reason: string;

  constructor(reason: string) {
    super(`The file could not be read: ${reason}.`);
    this.name = "ExternalFileError";
    this.reason = reason;
  }
}
