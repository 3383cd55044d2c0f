/** The calls of ports that a submission and what follows it are made of: between any two of them it may end. */
export const portCalls = [
  "claim",
  "leaseDue",
  "loadAttempt",
  "submitKyc",
  "findKyc",
  "storeVerdict",
  "reschedule",
  "recordProviderUpdate",
] as const;

/** Those that are one transaction of ours, which may end at moments within, too. */
const transactions = ["claim", "loadAttempt", "storeVerdict", "reschedule", "recordProviderUpdate"];

/** Every place where a process can be made to fail, such as `claim.committing`. */
export const failPointNames = portCalls.flatMap((call) => [
  `${call}.before`,
  ...(transactions.includes(call) ? [`${call}.decided`, `${call}.committing`] : []),
  `${call}.after`,
]);
