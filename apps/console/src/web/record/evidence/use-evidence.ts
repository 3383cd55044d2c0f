import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { api, client } from "../../api/client.ts";
import type { Opened, Purpose } from "../../api/shapes.ts";

/** A record's evidence while it is open. */
export interface OpenEvidence extends Opened {
  purpose: Purpose;
  /** When the page closes it, in milliseconds of this computer's clock. */
  closesAt: number;
}

export const evidenceKey = (openingId: string) => ["evidence", openingId] as const;
export type Evidence = ReturnType<typeof useEvidence>;

/**
 * Opens a record's evidence for a purpose, and forgets it: when it is closed, after its time, and when the view is left.
 * It is in no storage and, but for the pictures that are shown, in no cache.
 */
export function useEvidence(kycRecordId: string, onOpened: () => void) {
  const queries = useQueryClient();
  const [closedBy, setClosedBy] = useState<"expired" | "shut">();
  const { mutate, data, isPending, error, reset } = useMutation({
    gcTime: 0,
    mutationFn: async (purpose: Purpose): Promise<OpenEvidence> => {
      const opened = await client.records.submission.mutate({ kycRecordId, purpose });
      // The clock of this computer may be wrong.
      const lasts = Date.parse(opened.expiresAt) - Date.parse(opened.openedAt);
      return { ...opened, purpose, closesAt: Date.now() + lasts };
    },
    onSuccess: () => {
      setClosedBy(undefined);
      onOpened();
      // A proposal says who has opened the evidence.
      void queries.invalidateQueries(api.proposals.pathFilter());
    },
  });
  const openingId = data?.openingId;
  useEffect(() => {
    if (openingId === undefined) return;
    return () => queries.removeQueries({ queryKey: evidenceKey(openingId) });
  }, [queries, openingId]);

  /** Closes the evidence; `cause` if the person did not. */
  const close = useCallback(
    (cause?: "expired" | "shut") => {
      setClosedBy(cause);
      reset();
    },
    [reset],
  );
  // A view that waits behind the sign-in has no evidence.
  useEffect(() => () => close("shut"), [close]);
  const closesAt = data?.closesAt;
  useEffect(() => {
    if (closesAt === undefined) return;
    const check = () => Date.now() >= closesAt && close("expired");
    const timer = setInterval(check, 1_000);
    // A computer that slept shows nothing that should be closed.
    document.addEventListener("visibilitychange", check);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", check);
    };
  }, [closesAt, close]);
  return { opened: data, open: mutate, isPending, error, close, closedBy };
}
