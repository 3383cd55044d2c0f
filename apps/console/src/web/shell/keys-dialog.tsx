import { shared } from "../lib/words.ts";
import { Button, Key } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

const words = {
  title: "Keyboard",
  groups: [
    {
      title: "Everywhere",
      keys: [
        ["/", "Search"],
        ["?", "Show these keys"],
        ["g h", "Go to the home page"],
        ["g q", "Go to the queue"],
        ["g p", "Go to the proposals"],
      ],
    },
    {
      title: "In the queue",
      keys: [
        ["j  k", "Next and previous record"],
        ["Enter", "Open the record"],
        ["a", "Assign the record to me"],
        ["r", "Refresh the record at the provider"],
      ],
    },
    {
      title: "On a record",
      keys: [
        ["j", "Next case of the queue"],
        ["a", "Assign to me"],
        ["h", "Hand over"],
        ["r", "Refresh at the provider"],
        ["s", "Send again"],
        ["n", "Write a note"],
        ["e", "Evidence"],
        ["d", "Decision"],
      ],
    },
  ],
} as const;

/** Lists the keys. The buttons of a view show theirs too. */
export function KeysDialog({ open, onOpenChange }: { open: boolean; onOpenChange(open: boolean): void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={words.title}>
      {words.groups.map(({ title, keys }) => (
        <div key={title} className="mt-4">
          <h3 className="mb-1 text-13 font-semibold text-muted">{title}</h3>
          <dl>
            {keys.map(([key, text]) => (
              <div
                key={key}
                className="flex h-8 items-center justify-between border-t border-line first:border-t-0"
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
        </div>
      ))}
      <div className="mt-6 flex justify-end">
        <Button onClick={() => onOpenChange(false)}>{shared.close}</Button>
      </div>
    </Dialog>
  );
}
