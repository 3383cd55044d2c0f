import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { api } from "../../api/client.ts";
import type { UserFacts } from "../../api/shapes.ts";
import { usePersonal } from "../../lib/use-personal.ts";
import { ActDialog } from "../../ui/act-dialog.tsx";
import { Button } from "../../ui/button.tsx";

/** What an act needs to know about its user. */
export interface ActProps {
  user: UserFacts;
  platform: string;
}

interface Props<Output> {
  /** The act and what it does, beside the button that opens it, if it is possible. */
  name: ReactNode;
  text: ReactNode;
  open: string | undefined;
  danger?: boolean;
  /** The dialog: what will happen, the act in words, and what must be typed first. */
  title: string;
  happens: string;
  act: string;
  running?: string;
  word?: string | undefined;
  recent?: boolean;
  /** It only reads, so that nothing is read again afterwards. */
  reads?: true;
  /** Undefined until the fields can be sent. */
  run: (() => Promise<Output>) | undefined;
  /** Empties the fields before the dialog opens. */
  onStart(): void;
  /** What came of it. `hide` forgets it. */
  result(output: Output, hide: () => void): ReactNode;
  /** The fields. */
  children: ReactNode;
}

/** One act: a row that says what it does, its dialog, and what came of it. */
export function Act<Output>({ name, text, open: button, run, onStart, result, ...dialog }: Props<Output>) {
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const { mutate, data, error, isPending, reset } = usePersonal({
    ...(run && { mutationFn: run }),
    onSuccess: async () => {
      setOpen(false);
      if (dialog.reads) return;
      await Promise.all([
        queries.invalidateQueries(api.users.show.queryFilter()),
        queries.invalidateQueries(api.holds.list.queryFilter()),
        queries.invalidateQueries(api.proposals.list.pathFilter()),
      ]);
    },
  });
  const start = () => {
    reset();
    onStart();
    setOpen(true);
  };
  return (
    <div className="border-t border-line px-4 py-3 first:border-t-0">
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <h3 className={dialog.danger ? "font-medium text-bad" : "font-medium"}>{name}</h3>
          <p className="text-13 text-muted">{text}</p>
        </div>
        {button && (
          <Button kind={dialog.danger ? "toDanger" : "plain"} onClick={start}>
            {button}
          </Button>
        )}
      </div>
      <div role="status" className="mt-3 empty:hidden">
        {data !== undefined && result(data, reset)}
      </div>
      <ActDialog
        {...dialog}
        open={open}
        onClose={() => setOpen(false)}
        mutation={{ isPending, error }}
        ready={run !== undefined}
        onAct={() => mutate()}
      />
    </div>
  );
}
