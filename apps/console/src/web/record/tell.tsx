import { Copy } from "../ui/copy.tsx";
import { words } from "../words.ts";

const { record: say } = words;

/** Words that a support agent can repeat to the person. */
export function Tell({ text }: { text: string }) {
  return (
    <div className="flex flex-col gap-x-4 gap-y-1 border-t border-line bg-sunken px-4 py-3 sm:flex-row sm:items-baseline md:px-5">
      <p className="shrink-0 text-13 font-medium text-muted">{say.tell}</p>
      <p className="max-w-[72ch] text-14">“{text}”</p>
      <Copy
        value={text}
        label={say.tellText}
        text={words.copy.text}
        className="-ml-2 self-start sm:-mr-2 sm:ml-auto sm:self-baseline"
      />
    </div>
  );
}
