import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api, background } from "../api/client.ts";
import { recordOptions } from "../api/shapes.ts";
import { useLiveChanges } from "../lib/live.ts";
import { snapshotOf } from "./snapshot.ts";

const refreshMs = 15_000;

/** A record with its state of now: read again every 15 seconds while the page is visible, and after each change. */
export function useRecord(kycRecordId: string) {
  const queries = useQueryClient();
  const record = useQuery(recordOptions(kycRecordId));
  const attempts = useQuery(
    api.records.attempts.queryOptions({ kycRecordId }, { enabled: record.isSuccess }),
  );
  const notes = useQuery(api.records.notes.queryOptions({ kycRecordId }, { enabled: record.isSuccess }));
  const stateOptions = api.records.state.queryOptions({ kycRecordId }, background);
  const state = useQuery({
    ...stateOptions,
    enabled: record.isSuccess,
    refetchInterval: refreshMs,
  });

  const changes = useLiveChanges().get(kycRecordId) ?? 0;
  const handled = useRef(changes);
  useEffect(() => {
    if (changes === handled.current) return;
    handled.current = changes;
    void queries.invalidateQueries({ queryKey: stateOptions.queryKey });
  }, [changes, queries, stateOptions.queryKey]);

  /** Reads all of the record again. */
  async function reload(): Promise<void> {
    await Promise.all([record.refetch(), attempts.refetch(), notes.refetch(), state.refetch()]);
  }
  return { record, attempts, notes, snapshot: record.data && snapshotOf(record.data, state.data), reload };
}
