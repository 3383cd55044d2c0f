import type { AnswerFile } from "@cardbridge/domain";
import { unwrapDataKey, type WrappedKey } from "./data-key.ts";
import type { KeyRing } from "./key-ring.ts";
import { decryptData, encryptData } from "./personal-data.ts";

/** A document request and its user's wrapped data key. */
interface UserRequestRef {
  platformId: string;
  userId: string;
  documentRequestId: string;
  wrappedKey: WrappedKey;
}

/** @throws Failure SERVICE_UNAVAILABLE where the ring cannot decrypt the user's data key. */
export function encryptAnswer(files: readonly AnswerFile[], request: UserRequestRef, ring: KeyRing): Buffer {
  return encryptData(files, dataKeyOf(request, ring), rowOf(request));
}

/** @throws Failure SERVICE_UNAVAILABLE where it cannot be decrypted. */
export function decryptAnswer(encrypted: Buffer, request: UserRequestRef, ring: KeyRing): AnswerFile[] {
  return decryptData<AnswerFile[]>(encrypted, dataKeyOf(request, ring), rowOf(request));
}

const rowOf = ({ platformId, documentRequestId }: UserRequestRef) =>
  ({ platformId, table: "document_requests", rowId: documentRequestId }) as const;

const dataKeyOf = ({ platformId, userId, wrappedKey }: UserRequestRef, ring: KeyRing) =>
  unwrapDataKey(wrappedKey, { platformId, userId }, ring);
