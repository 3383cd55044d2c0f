import { cx } from "../ui/class.ts";
import { Copy } from "../ui/copy.tsx";
import { Icon } from "../ui/icon.tsx";
import { words } from "../words.ts";

const { record: say } = words;

interface Props {
  text: string;
  /** Whether the record has another state now, so that the words may be wrong. */
  isStale: boolean;
}

/** Words that a support agent can repeat to the person. */
export function Tell({ text, isStale }: Props) {
  return (
    <div className="flex flex-col gap-x-4 gap-y-1 border-t border-line bg-sunken px-4 py-3 sm:flex-row sm:items-baseline md:px-5">
      <p className="shrink-0 text-13 font-medium text-muted">{say.tell}</p>
      <div className="max-w-[72ch]">
        <p className={cx("text-14", isStale && "text-muted")}>“{text}”</p>
        <p
          aria-live="polite"
          className="flex items-start gap-1.5 text-13 font-medium text-attention empty:hidden"
        >
          {isStale && (
            <>
              <Icon name="warning" className="mt-0.5" />
              {say.tellStale}
            </>
          )}
        </p>
      </div>
      <Copy
        value={text}
        label={say.tellText}
        text={words.copy.text}
        disabled={isStale}
        className="-ml-2 self-start sm:-mr-2 sm:ml-auto sm:self-baseline"
      />
    </div>
  );
}
