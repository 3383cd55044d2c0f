/** What somebody typed into the search box. `name` may be a member id, a card account or an external id. */
export type Searched =
  | { kind: "nothing" }
  | { kind: "record"; kycRecordId: string }
  | { kind: "request"; requestId: string }
  | { kind: "user"; externalUserId: string }
  | { kind: "email"; email: string }
  | { kind: "name"; name: string };

/** Recognizes ids by their prefix and e-mail addresses by their @. */
export function detect(typed: string): Searched {
  const text = typed.trim();
  if (text === "") return { kind: "nothing" };
  if (text.includes("@")) return { kind: "email", email: text };
  if (/^kyc_[a-z0-9]+$/i.test(text)) return { kind: "record", kycRecordId: text };
  if (/^req_[\w-]+$/i.test(text)) return { kind: "request", requestId: text };
  if (/^usr_[a-z0-9]+$/i.test(text)) return { kind: "user", externalUserId: text };
  return { kind: "name", name: text };
}
