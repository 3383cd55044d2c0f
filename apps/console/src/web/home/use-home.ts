import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { api, background } from "../api/client.ts";
import { useLiveChanges } from "../lib/live.ts";
import { useMe } from "../lib/use-me.ts";
import { useActivePauses } from "../lib/use-pauses.ts";

/** Everything that the home page shows, renewed each minute; the counts also when records change. */
export function useHome() {
  const { may } = useMe();
  const minute = { refetchInterval: 60_000 };
  const counts = useQuery({ ...api.records.counts.queryOptions({}, background), ...minute });
  const status = useQuery({ ...api.service.status.queryOptions({}, background), ...minute });
  const health = useQuery({ ...api.webhooks.endpointHealth.queryOptions({}, background), ...minute });
  const pauses = useActivePauses();
  const proposals = useQuery({
    ...api.proposals.list.queryOptions({ waitingForMe: true, limit: 1 }, background),
    ...minute,
    enabled: may("ops.records.decide", "ops.users.write", "ops.compliance"),
  });
  useLiveCounts();
  return { counts, status, health, pauses, proposals };
}

/** Reads the counts again when records change, at most once in two seconds. */
function useLiveCounts(): void {
  const changes = useLiveChanges();
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (changes.size === 0 || timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      void queries.invalidateQueries(api.records.counts.queryFilter());
    }, 2_000);
  }, [changes, queries]);
  useEffect(() => () => clearTimeout(timer.current), []);
}
