import { exactTime, relativeTime } from "../lib/age.ts";
import { useNow } from "../lib/use-now.ts";
import { Copy } from "./copy.tsx";

const words = {
  time: "Copy the exact time",
} as const;

/** A time relative to now; the exact one on hover, and in the copy if there is one. */
export function Time({ at, copy }: { at: string; copy?: boolean }) {
  const now = useNow();
  return (
    <span className="inline-flex items-center gap-1">
      <time dateTime={at} title={exactTime(at)} className="whitespace-nowrap tabular-nums">
        {relativeTime(at, now)}
      </time>
      {copy && <Copy value={at} label={words.time} />}
    </span>
  );
}
