import type { RouterOutputs } from "@cardbridge/trpc-client";
import { useMutation } from "@tanstack/react-query";
import { download } from "../lib/download.ts";
import { number } from "../lib/numbers.ts";
import { shared } from "../lib/words.ts";
import { ActError } from "../ui/act-error.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { words } from "./words.ts";

const { proof: say } = words;

/** The proven entries of one platform. */
type Proofs = RouterOutputs["audit"]["caseFile"]["audit"];

interface Props {
  title: string;
  /** What the file holds. */
  text: string;
  act: string;
  /** The name of the file, without its type. */
  name: string;
  /** Reads the file, and the proofs in it. */
  read(): Promise<{ file: object; proofs: readonly Proofs[] }>;
  /** Reads the same entries as a table for a spreadsheet. */
  readTable?(): Promise<{ csv: string; count: number; more: boolean }>;
  onClose(): void;
}

/** Saves a file with proofs of audit entries, then the checkpoints that cover them. */
export function ProofDialog({ title, text, act, name, read, readTable, onClose }: Props) {
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: async () => {
      const { file, proofs } = await read();
      save(`${name}.json`, `${JSON.stringify(file, null, 2)}\n`);
      return proofs;
    },
  });
  const table = useMutation({
    mutationFn: async () => {
      const saved = await readTable?.();
      if (saved) save(`${name}.csv`, saved.csv);
      return saved;
    },
  });
  const entries = data?.flatMap((one) => one.entries) ?? [];
  const pending = entries.filter(({ checkpoint }) => checkpoint === null).length;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title}>
      <p className="text-muted">{text}</p>
      <div role="status" className="my-4 flex min-h-10 flex-col gap-3">
        {data && <Notice meaning="good">{say.done(`${name}.json`, number(entries.length))}</Notice>}
        {pending > 0 && <Notice meaning="waiting">{say.pending(pending)}</Notice>}
        {data && <p className="text-13 text-muted">{say.verify}</p>}
        {table.data && (
          <Notice meaning={table.data.more ? "attention" : "good"}>
            {say[table.data.more ? "tableCut" : "tableDone"](number(table.data.count))}
          </Notice>
        )}
      </div>
      <ActError error={error ?? table.error} reads />
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{shared.close}</Button>
        {readTable && (
          <Button disabled={table.isPending} onClick={() => table.mutate()}>
            {table.isPending ? say.running : say.table}
          </Button>
        )}
        {data ? (
          <Button kind="primary" onClick={() => save("published.ndjson", checkpointLines(data))}>
            {say.checkpoints}
          </Button>
        ) : (
          <Button kind="primary" disabled={isPending} onClick={() => mutate()}>
            {isPending ? say.running : act}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

const save = (name: string, text: string) =>
  download(name, new Blob([text], { type: "text/plain;charset=utf-8" }));

/** The checkpoints as the script that verifies the file reads them: a line for each. */
const checkpointLines = (proofs: readonly Proofs[]): string =>
  proofs
    .flatMap(({ platformId, checkpoints }) =>
      checkpoints.map((one) => `${JSON.stringify({ platformId, ...one })}\n`),
    )
    .join("");
