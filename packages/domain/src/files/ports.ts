import type { FilePurpose, FileType } from "./file.ts";

/** What a file is once it has been looked at: what is kept of it, and as what. */
export interface Inspected {
  contentType: FileType;
  /** An image's are new ones: re-encoded, without what was beside the picture. */
  bytes: Uint8Array;
}

/** Looks at uploaded bytes before anything is kept of them. */
export interface FileInspector {
  /**
   * @throws Failure INVALID_INPUT with a violation at `file` that says what is wrong with it: its type, its size in
   *   pixels, that it is broken, encrypted, active or infected; SERVICE_UNAVAILABLE where it cannot be looked at.
   */
  inspect(bytes: Uint8Array, purpose: FilePurpose): Promise<Inspected>;
}

/** Keeps blobs under names of ours: what it keeps is sealed before. */
export interface Blobs {
  /**
   * Keeps a blob, durably and whole, or not at all; under one name once.
   * @throws Failure STORAGE_FULL, SERVICE_UNAVAILABLE.
   */
  put(name: string, blob: Uint8Array): Promise<void>;
  /** Null where there is none. @throws Failure SERVICE_UNAVAILABLE. */
  get(name: string): Promise<Uint8Array | null>;
  /** Deletes a blob, or what is half there of it; there may be none. @throws Failure SERVICE_UNAVAILABLE. */
  delete(name: string): Promise<void>;
}

/** A file that is to be kept. */
export interface NewFile extends Inspected {
  /** Used where the platform has no equal file yet. */
  fileId: string;
  /** The random name of its blob. */
  blobName: string;
  purpose: FilePurpose;
  /** SHA-256 of the uploaded bytes. */
  digest: Buffer;
}

/** Use of a file in a submission: where its URL stands there, and what it has to be. */
export interface FileUse {
  fileId: string;
  purpose: FilePurpose;
  path: (string | number)[];
}

export interface Files {
  /**
   * Keeps a file, sealed under a key of its own. The same upload of a platform, while no submission uses it,
   * is kept once: its id and its new expiry are returned.
   * @throws Failure STORAGE_FULL, SERVICE_UNAVAILABLE.
   */
  keep(platformId: string, file: NewFile): Promise<{ fileId: string; expiresAt: Date }>;
  /** A platform's file; null where it has none of this id, or that has vanished. @throws Failure SERVICE_UNAVAILABLE. */
  read(platformId: string, fileId: string): Promise<Inspected | null>;
  /** Whose a file is; null where there is none. */
  platformOf(fileId: string): Promise<string | null>;
  /**
   * Destroys up to `limit` files: those that no submission used in time, of erased users, and of uploads that broke
   * off. Tells how many. @throws Failure SERVICE_UNAVAILABLE.
   */
  sweep(limit: number): Promise<number>;
}

/** The addresses of files. */
export interface FileUrls {
  urlOf(fileId: string): string;
  /** The id in a URL under our own address, null where that is no file's; undefined for a URL elsewhere. */
  fileIdOf(url: string): string | null | undefined;
  /** A file's URL with a signature that opens it for a short while; any other URL as it is. */
  signed(url: string): string;
  /** A short-lived address that takes uploads of one purpose for a platform. */
  uploadUrl(upload: { platformId: string; actor: string; purpose: FilePurpose }): {
    url: string;
    expiresAt: Date;
  };
}
