import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api, background } from "../api/client.ts";
import { recordOptions } from "../api/shapes.ts";
import { useLiveChanges } from "../lib/live.ts";

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

  /** What was shown when the record was last read. A difference means that it changed meanwhile. */
  const print =
    state.data &&
    JSON.stringify([
      state.data.resolution,
      state.data.status,
      state.data.subStatus,
      state.data.attempt,
      state.data.needsAttentionSince,
      state.data.notes,
    ]);
  const [shown, setShown] = useState<string>();
  if (shown === undefined && print !== undefined) setShown(print);

  /** Reads all of the record again. */
  async function reload(): Promise<void> {
    await Promise.all([record.refetch(), attempts.refetch(), notes.refetch(), state.refetch()]);
    setShown(undefined);
  }
  return { record, attempts, notes, state, changed: shown !== undefined && print !== shown, reload };
}
