import type { FilePurpose, FileType } from "../files/file.ts";

/** A user's names and dates as they are stored. The names are null after an erasure. */
export interface StoredUser {
  memberId: string | null;
  /** Also null while another user has the e-mail (G17). */
  email: string | null;
  imported: boolean;
  createdAt: string;
  eraseRequestedAt: string | null;
  erasedAt: string | null;
}

/** A file that a user's submission uses. */
export interface StoredFile {
  fileId: string;
  purpose: FilePurpose;
  contentType: FileType;
  createdAt: string;
}
