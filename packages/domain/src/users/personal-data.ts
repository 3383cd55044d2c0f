import type { FilePurpose, FileType } from "../files/file.ts";
import type { KycSubmission } from "../kyc/submission.ts";

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

/** Reads the personal data of one user, decrypted, for a request of the data subject. */
export interface PersonalData {
  /**
   * Null if the platform has no such user.
   * @throws Failure SERVICE_UNAVAILABLE if the names cannot be decrypted.
   */
  user(platformId: string, externalUserId: string): Promise<StoredUser | null>;
  /**
   * What was submitted; null after an erasure, or if the platform has no such record.
   * @throws Failure SERVICE_UNAVAILABLE if it cannot be decrypted.
   */
  submission(platformId: string, kycRecordId: string): Promise<KycSubmission | null>;
  /** The files that a user's submissions use, oldest first. Their bytes are read one by one, with `Files.read`. */
  files(platformId: string, externalUserId: string): Promise<StoredFile[]>;
}
