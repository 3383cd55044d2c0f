import type { Violation } from "../input/violations.ts";
import type { FilePurpose, FileType } from "./file.ts";

/** An inspected file: the bytes to store and their type. */
export interface Inspected {
  contentType: FileType;
  /** An image is re-encoded, without its metadata. */
  bytes: Uint8Array;
}

/** Inspects uploads before they are stored. */
export interface FileInspector {
  /**
   * `holder` is whose share of the decoders is used: a platform, or the key of an internal app.
   * @throws Failure INVALID_INPUT with a violation at `file` for a wrong type or pixel size, or a corrupt, encrypted
   *   or infected file, one with active content, or a PDF that cannot be rendered within the limits of a page;
   *   SERVICE_UNAVAILABLE if the file cannot be inspected.
   */
  inspect(bytes: Uint8Array, purpose: FilePurpose, holder: string): Promise<Inspected>;
}

/** Where a process without the store's credentials reads a blob. Whoever has an address in a bucket can use it. */
export interface BlobAddress {
  /** A file URL, or a signed http(s) URL that is valid for minutes. */
  url: string;
  /** The certificate authorities to trust besides those of Node, in PEM. */
  authorities: readonly string[];
}

/** Stores encrypted blobs by name. */
export interface Blobs {
  /**
   * Stores a blob durably and atomically. Each name is written once.
   * @throws Failure STORAGE_FULL, SERVICE_UNAVAILABLE.
   */
  put(name: string, blob: Uint8Array): Promise<void>;
  /** Null if the blob does not exist. @throws Failure SERVICE_UNAVAILABLE. */
  get(name: string): Promise<Uint8Array | null>;
  /** The address of a blob, whether or not it exists. */
  addressOf(name: string): Promise<BlobAddress>;
  /** Deletes a blob, complete or partial, if it exists. @throws Failure SERVICE_UNAVAILABLE. */
  delete(name: string): Promise<void>;
}

/** Blobs that are more than those of files: such as a log, whose names are known, and which can be listed. */
export interface ListedBlobs extends Blobs {
  /** Stores a blob as `put` does, unless a blob has this name: false then. @throws as `put`. */
  create(name: string, blob: Uint8Array): Promise<boolean>;
  /** The names of all blobs, in any order, without partial ones. @throws Failure SERVICE_UNAVAILABLE. */
  list(): AsyncIterable<string>;
}

/** A file to store. */
interface NewFile extends Inspected {
  fileId: string;
  /** The random name of its blob. */
  blobName: string;
  purpose: FilePurpose;
}

/** A stored file. */
export interface KeptFile {
  fileId: string;
  contentType: FileType;
  /** When it expires unless a submission uses it. */
  expiresAt: Date;
}

/** What another process needs to read this file, and no other. */
export interface EncryptedFile {
  platformId: string;
  fileId: string;
  contentType: FileType;
  address: BlobAddress;
  key: Uint8Array;
}

/** The use of an upload URL: the URL's id, and the SHA-256 of the sent bytes in hexadecimal. */
export interface UploadUrlUse {
  uploadId: string;
  sha256: string;
}

/** The files that a provider accepts. */
export interface FileLimits {
  types: readonly FileType[];
  /** In bytes. */
  maxBytes: number;
}

/** The use of a file in a submission: the path of its URL, the required purpose, and the provider's limits. */
export interface FileUse {
  fileId: string;
  purpose: FilePurpose;
  path: (string | number)[];
  /** The provider's limits. Absent: the provider accepts every stored file. */
  accepts?: FileLimits | undefined;
}

export interface Files {
  /**
   * Stores a file, encrypted under its own key. Files of equal bytes are different files. An upload URL accepts one
   * file: if another upload with the same bytes used the URL first, the result is the file of that upload.
   * @throws Failure FILE_QUOTA_EXCEEDED, STORAGE_FULL, SERVICE_UNAVAILABLE; UPLOAD_URL_USED if
   *   that upload has other bytes.
   */
  keep(platformId: string, file: NewFile, use?: UploadUrlUse): Promise<KeptFile>;
  /**
   * Returns the violations of files without using them: a file that does not exist on the platform, has expired, has
   * another purpose, or belongs to another user. `userId` is null for a new user. Without `userId`, the check ignores
   * the owners of the files.
   * @throws Failure SERVICE_UNAVAILABLE.
   */
  check(
    platformId: string,
    uses: readonly FileUse[],
    userId: string | null | undefined,
  ): Promise<Violation[]>;
  /** Reads a platform's file; null if it does not exist or has expired. @throws Failure SERVICE_UNAVAILABLE. */
  read(platformId: string, fileId: string): Promise<Inspected | null>;
  /** Locates a platform's file without reading it; null as `read`. @throws Failure SERVICE_UNAVAILABLE. */
  locate(platformId: string, fileId: string): Promise<EncryptedFile | null>;
}

/** The URLs of files. */
export interface FileUrls {
  urlOf(fileId: string): string;
  /** The file id in a URL of this service; null if the URL names no file; undefined for an external URL. */
  fileIdOf(url: string): string | null | undefined;
  /** Adds a short-lived signature to a URL of this service; returns any other URL unchanged. */
  signed(url: string): string;
  /** Creates a short-lived URL that accepts one file of a purpose for a platform. */
  uploadUrl(upload: { platformId: string; actor: string; purpose: FilePurpose }): {
    url: string;
    expiresAt: Date;
  };
}
