import type { RouterOutputs } from "@cardbridge/trpc-client";
import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

type Named = { personId: string; name: string | null };

export type RecordRow = RouterOutputs["records"]["search"]["records"][number];
export type Counts = RouterOutputs["records"]["counts"];
export type Attempted = RouterOutputs["records"]["refresh"];
export type Me = RouterOutputs["persons"]["me"];
export type UserFacts = RouterOutputs["users"]["show"];
export type Card = RouterOutputs["users"]["cards"]["items"][number];

/** A record with what an operator does next, and who has it. */
export type ShownRecord = Attempted["before"] & {
  deliveries: RouterOutputs["webhooks"]["redeliver"][];
  platformName?: string;
  traceparent?: string | null;
  next: { situation: string; operator: string; person: string | null; action: string | null };
  assignee: Named | null;
  assignmentVersion: number;
};

/** One record. It is audited, so it is read once and then followed by records.state. */
export const recordOptions = (kycRecordId: string) =>
  queryOptions({
    queryKey: ["record", kycRecordId],
    queryFn: ({ signal }): Promise<ShownRecord> => {
      const { query } = (client as unknown as Untyped).records.get;
      return query({ kycRecordId }, { signal });
    },
    staleTime: 60_000,
  });

export interface RecordChange {
  kycRecordId: string;
  status: string | null;
}

/** Follows the changes of all records that the person may see, and reconnects without a gap. */
export function followChanges(on: { change(change: RecordChange): void; state(state: string): void }) {
  return (client as unknown as Untyped).records.changes.subscribe(undefined, {
    onData({ data }) {
      // The first event has a position and no change.
      if (data.type === "record.changed") on.change(data.data);
    },
    onConnectionStateChange: ({ state }) => on.state(state),
    onError: () => on.state("error"),
  });
}

interface Untyped {
  records: {
    get: { query(input: object, options: object): Promise<ShownRecord> };
    changes: {
      subscribe(
        input: undefined,
        on: {
          onData(event: { data: { type: string; data: RecordChange } }): void;
          onConnectionStateChange(state: { state: string }): void;
          onError(): void;
        },
      ): { unsubscribe(): void };
    };
  };
}
