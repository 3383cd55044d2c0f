import { useId, useState } from "react";
import { Button } from "./button.tsx";

interface Props {
  label: string;
  act: string;
  /** What to do when the text is not accepted. */
  wrong: string;
  value: string;
  accepts(id: string): boolean;
  /** Called with an accepted id, or with nothing to end the filter. */
  onFind(id: string): void;
}

/** A filter by a whole id. Only ids enter the address, never what else is typed. */
export function IdFilter({ label, act, wrong, value, accepts, onFind }: Props) {
  const id = useId();
  const [refused, setRefused] = useState(false);
  return (
    <form
      key={value}
      className="flex w-full flex-wrap gap-2 sm:w-auto"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = String(new FormData(event.currentTarget).get("id") ?? "").trim();
        setRefused(typed !== "" && !accepts(typed));
        if (typed === "" || accepts(typed)) onFind(typed);
      }}
    >
      <input
        name="id"
        type="text"
        defaultValue={value}
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={refused || undefined}
        aria-describedby={refused ? id : undefined}
        className="h-9 min-w-0 flex-1 rounded border border-line-strong bg-surface px-3 text-13 sm:w-76 sm:flex-none"
      />
      <Button type="submit">{act}</Button>
      {refused && (
        <p id={id} role="alert" className="w-full text-13 text-bad">
          {wrong}
        </p>
      )}
    </form>
  );
}
