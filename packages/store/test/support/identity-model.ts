import { isDeclined, type KycState } from "@cardbridge/domain";

/** A user of the model, from their first submission or import to their erasure. */
export interface ModelUser {
  email: string | null;
  latest: Pick<KycState, "resolution" | "status"> | undefined;
  everApproved: boolean;
  imported: boolean;
  erasureRequested: boolean;
}

export const newUser = { latest: undefined, everApproved: false, imported: false, erasureRequested: false };

/** The expected outcome of a submission with a new body, for the user with its memberId and the owner of its e-mail. */
export function expectedResult(user: ModelUser | undefined, email: string, owner: ModelUser | undefined) {
  if (user?.erasureRequested) return "USER_ERASURE_PENDING";
  const declined = user?.latest && isDeclined(user.latest);
  if (user?.email && user.email !== email && !declined) return "USER_IDENTITY_CONFLICT";
  if (owner && !losesEmail(owner)) return "USER_IDENTITY_CONFLICT";
  return user?.latest && !declined ? "KYC_ALREADY_SUBMITTED" : "new";
}

/** The expected outcome of a change of the e-mail. */
export function expectedChange(user: ModelUser | undefined, email: string, owner: ModelUser | undefined) {
  if (!user) return "USER_NOT_FOUND";
  if (user.erasureRequested) return "USER_ERASURE_PENDING";
  return user.email === email || !owner || losesEmail(owner) ? "changed" : "USER_IDENTITY_CONFLICT";
}

function losesEmail({ latest, everApproved, imported }: ModelUser): boolean {
  const status = latest?.resolution === "refused" ? "refused" : latest?.status;
  return (status === "refused" || status === "REJECTED") && !everApproved && !imported;
}
