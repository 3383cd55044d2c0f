import { shared } from "../lib/words.ts";
import { cx } from "../ui/class.ts";
import { Copy } from "../ui/copy.tsx";
import { Icon } from "../ui/icon.tsx";

const words = {
  tell: "Tell the person",
  tellText: "Words for the person",
  tellStale: "The record changed. Show the new state before you repeat this.",
} as const;

interface Props {
  text: string;
  /** Whether the record has another state now, so that the words may be wrong. */
  isStale: boolean;
}

/** Words that a support agent can repeat to the person. */
export function Tell({ text, isStale }: Props) {
  return (
    <div className="flex flex-col gap-x-4 gap-y-1 border-t border-line bg-sunken px-4 py-3 sm:flex-row sm:items-baseline md:px-5">
      <p className="shrink-0 text-13 font-medium text-muted">{words.tell}</p>
      <div className="max-w-[72ch]">
        <p className={cx("text-14", isStale && "text-muted")}>“{text}”</p>
        <p
          aria-live="polite"
          className="flex items-start gap-1.5 text-13 font-medium text-attention empty:hidden"
        >
          {isStale && (
            <>
              <Icon name="warning" className="mt-0.5" />
              {words.tellStale}
            </>
          )}
        </p>
      </div>
      <Copy
        value={text}
        label={words.tellText}
        text={shared.copy.text}
        disabled={isStale}
        className="-ml-2 self-start sm:-mr-2 sm:ml-auto sm:self-baseline"
      />
    </div>
  );
}
