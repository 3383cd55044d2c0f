import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/client.ts";

/** An act in a dialog. It closes when the act is done; unless it only reads, the user and the proposals are then read again. */
export function useAct<Input, Output>(
  run: (input: Input) => Promise<Output>,
  { reads }: { reads?: true } = {},
) {
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const { mutate, data, error, isPending, reset } = useMutation({
    // Inputs and outputs have personal data.
    gcTime: 0,
    mutationFn: run,
    onSuccess: async () => {
      setOpen(false);
      if (reads) return;
      await Promise.all([
        queries.invalidateQueries(api.users.show.queryFilter()),
        queries.invalidateQueries(api.holds.list.queryFilter()),
        queries.invalidateQueries(api.proposals.list.pathFilter()),
      ]);
    },
  });
  return {
    run: mutate,
    data,
    reset,
    start: () => {
      reset();
      setOpen(true);
    },
    dialog: {
      open,
      onClose: () => setOpen(false),
      mutation: { isPending, error },
    },
  };
}
