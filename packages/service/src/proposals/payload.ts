import type { ManualDecision, NewNames, ProposalKind } from "@cardbridge/domain";
import { unwrapDataKey } from "../encryption/data-key.ts";
import type { KeyRing } from "../encryption/key-ring.ts";
import { decryptData, encryptData } from "../encryption/personal-data.ts";

/** An act that one person proposes. The proposal names the platform. */
export type ProposedAct =
  | { kind: "approve"; kycRecordId: string; decision: ManualDecision; evidenceHash: string }
  | { kind: "relink"; externalUserId: string; names: NewNames }
  | { kind: "erase"; externalUserId: string }
  | { kind: "liftHold"; holdId: string };

/** What a proposal changes and why: the encrypted part. */
export interface ProposalPayload {
  decision?: ManualDecision | undefined;
  names?: NewNames | undefined;
  note: string | null;
}

/** A proposal's row, as far as its encrypted part is bound to it. */
export interface ProposalRef {
  proposalId: string;
  platformId: string;
  externalUserId: string;
  kind: ProposalKind;
  kycRecordId: string | null;
  holdId: string | null;
}

/** The wrapped data key of a user; null after an erasure. */
export interface UserKey {
  dataKey: Buffer | null;
  keyVersion: number | null;
}

export function payloadOf(act: ProposedAct, note: string | undefined): ProposalPayload {
  return {
    ...(act.kind === "approve" && { decision: act.decision }),
    ...(act.kind === "relink" && { names: act.names }),
    note: note ?? null,
  };
}

/** Encrypts a payload under the user's data key. Null for an erased user, who has none. */
export function encryptPayload(
  payload: ProposalPayload,
  row: ProposalRef,
  key: UserKey,
  ring: KeyRing,
): Buffer | null {
  const dataKey = dataKeyOf(row, key, ring);
  return dataKey && encryptData(payload, dataKey, dataOf(row));
}

/**
 * The payload of a proposal; null after an erasure.
 * @throws Failure SERVICE_UNAVAILABLE if it cannot be decrypted.
 */
export function decryptPayload(
  encrypted: Buffer | null,
  row: ProposalRef,
  key: UserKey,
  ring: KeyRing,
): ProposalPayload | null {
  const dataKey = dataKeyOf(row, key, ring);
  return encrypted && dataKey && decryptData<ProposalPayload>(encrypted, dataKey, dataOf(row));
}

function dataKeyOf(
  { platformId, externalUserId }: ProposalRef,
  { dataKey, keyVersion }: UserKey,
  ring: KeyRing,
) {
  if (dataKey === null || keyVersion === null) return null;
  return unwrapDataKey({ dataKey, keyVersion }, { platformId, userId: externalUserId }, ring);
}

function dataOf({ platformId, proposalId, kind, externalUserId, kycRecordId, holdId }: ProposalRef) {
  const rowId = [proposalId, kind, externalUserId, kycRecordId ?? "", holdId ?? ""].join("/");
  return { platformId, table: "proposals", rowId } as const;
}
