import type { ReactNode } from "react";
import type { Meaning } from "../lib/why.ts";
import { cx } from "./class.ts";
import { meaningBox, meaningText, Shape } from "./state-mark.tsx";

/** A message in place, with the shape and the colours of its meaning. */
export function Notice({
  meaning,
  children,
  className,
}: {
  meaning: Meaning;
  children: ReactNode;
  className?: string;
}) {
  return (
    <div
      className={cx(
        "flex items-start gap-2 rounded border px-3 py-2 text-14",
        meaningBox(meaning),
        className,
      )}
    >
      <span className="flex h-5 items-center">
        <Shape meaning={meaning} />
      </span>
      <div className={cx("min-w-0 flex-1", meaningText(meaning))}>{children}</div>
    </div>
  );
}
