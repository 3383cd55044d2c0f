import type { NounDetails } from "./details.ts";

export const proposals = {
  list: {
    columns: {
      proposals: "proposalId kind state platformName externalUserId proposedBy proposedAt expiresAt",
    },
  },
  get: { requires: ["keys"] },
  withdraw: { requires: ["keys"] },
} satisfies NounDetails<"proposals">;
