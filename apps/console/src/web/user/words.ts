export const words = {
  user: "User",
  noEmail: "User without an e-mail",
  gone: "This user is erased.",
  goneText:
    "Nothing is left of the personal data: no identifiers, no evidence and no cards. The history of the verifications remains.",
  since: "since",
  tell: "Tell the person",
  open: "Open the verification",
  records: "Verifications",
  standing: "The standing approval",
  document: (state: string) => `document: ${state.toLowerCase()}`,
  renews: (id: string) => `renews ${id}`,
  recordsEmpty: "No verifications",
  recordsEmptyText: "The person has not submitted one on this platform.",
  notFoundTitle: "No such user",
  notFoundText: "There is no user with this id on this platform, or you may not see the platform.",
  toQueue: "Go to the queue",
} as const;
