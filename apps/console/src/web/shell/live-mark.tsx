import { useLiveState } from "../lib/live.ts";
import { cx } from "../ui/class.ts";
import { words } from "../words.ts";

/** Whether the page follows the changes: a word with a dot that is full, open or half. */
export function LiveMark() {
  const state = useLiveState();
  const good = state === "on";
  return (
    <span
      title={words.live.explain[state]}
      className={cx(
        "hidden shrink-0 items-center gap-1.5 text-13 lg:inline-flex",
        good ? "text-good" : state === "reconnecting" ? "text-attention" : "text-muted",
      )}
    >
      <span className={cx("size-2 rounded-full border-2 border-current", good && "bg-current")} />
      {words.live[state]}
    </span>
  );
}
