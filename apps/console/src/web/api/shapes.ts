import type { RouterInputs, RouterOutputs } from "@cardbridge/trpc-client";
import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

export type RecordRow = RouterOutputs["records"]["search"]["records"][number];
export type Counts = RouterOutputs["records"]["counts"];
export type Attempted = RouterOutputs["records"]["refresh"];
export type Me = RouterOutputs["persons"]["me"];
export type UserFacts = RouterOutputs["users"]["show"];
export type Opened = RouterOutputs["records"]["submission"];
export type Purpose = RouterInputs["records"]["submission"]["purpose"];
export type Proposal = RouterOutputs["proposals"]["list"]["proposals"][number];
export type ProposalDetails = RouterOutputs["proposals"]["get"];
export type Hold = RouterOutputs["holds"]["list"]["holds"][number];
export type Card = RouterOutputs["users"]["cards"]["items"][number];

/** A record with what an operator does next, and who has it. */
export type ShownRecord = RouterOutputs["records"]["get"];

/** One record. It is audited, so it is read once and then followed by records.state. */
export const recordOptions = (kycRecordId: string) =>
  queryOptions({
    queryKey: ["record", kycRecordId],
    queryFn: ({ signal }) => client.records.get.query({ kycRecordId }, { signal }),
    staleTime: 60_000,
  });

interface ChangeListener {
  change(kycRecordId: string): void;
  state(state: "idle" | "connecting" | "pending" | "error"): void;
}

/** Follows the changes of all records that the person may see, and reconnects without a gap. */
export function followChanges(on: ChangeListener) {
  return client.records.changes.subscribe(undefined, {
    onData({ data }) {
      // The first event has a position and no change.
      if (data.type === "record.changed") on.change(data.data.kycRecordId);
    },
    onConnectionStateChange: ({ state }) => on.state(state),
    onError: () => on.state("error"),
  });
}
