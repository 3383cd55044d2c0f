import type { RouterOutputs } from "@cardbridge/trpc-client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, background } from "../api/client.ts";

export type Pause = RouterOutputs["pauses"]["list"]["pauses"][number];

/** The active pauses, renewed twice a minute. */
export const useActivePauses = () =>
  useQuery({
    ...api.pauses.list.queryOptions({ active: true }, background),
    refetchInterval: 30_000,
  });

/** Reads all pauses again, after one began or ended. */
export function useReadPausesAgain(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await queries.invalidateQueries(api.pauses.list.queryFilter());
  };
}
