export const tabs = ["waiting", "open", "decided"] as const;
type ProposalTab = (typeof tabs)[number];

/** Which proposals the list shows. The address has ids of ours only. */
export interface ProposalSearch {
  /** Without one: those that wait for the person. */
  tab?: Exclude<ProposalTab, "waiting">;
  record?: string;
}

export function validateProposalSearch({ tab, record }: Record<string, unknown>): ProposalSearch {
  return {
    ...((tab === "open" || tab === "decided") && { tab }),
    ...(typeof record === "string" && /^kyc_[A-Za-z0-9]{1,80}$/.test(record) && { record }),
  };
}
