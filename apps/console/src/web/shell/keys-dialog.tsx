import { Button, Key } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { words } from "../words.ts";

const { keys } = words;
const groups = [
  [keys.queueTitle, keys.queue],
  [keys.recordTitle, keys.record],
] as const;

/** Lists the keys. */
export function KeysDialog({ open, onOpenChange }: { open: boolean; onOpenChange(open: boolean): void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={keys.title}>
      <List entries={keys.list} />
      {groups.map(([title, entries]) => (
        <div key={title} className="mt-4">
          <h3 className="mb-1 text-13 font-semibold text-muted">{title}</h3>
          <List entries={entries} />
        </div>
      ))}
      <div className="mt-6 flex justify-end">
        <Button onClick={() => onOpenChange(false)}>{words.close}</Button>
      </div>
    </Dialog>
  );
}

function List({ entries }: { entries: readonly (readonly [string, string])[] }) {
  return (
    <dl>
      {entries.map(([key, text]) => (
        <div
          key={key}
          className="flex h-9 items-center justify-between border-t border-line first:border-t-0"
        >
          <dt className="order-2">
            <span className="sr-only">{key}</span>
            <span className="flex gap-1">
              {key.split(/\s+/).map((part) => (
                <Key key={part} always>
                  {part}
                </Key>
              ))}
            </span>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
