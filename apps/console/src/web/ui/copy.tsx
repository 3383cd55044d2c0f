import { useEffect, useState } from "react";
import { cx } from "./class.ts";
import { Icon } from "./icon.tsx";

const words = {
  done: "Copied",
} as const;

interface Props {
  /** What is copied. */
  value: string;
  /** What the button does, for those who do not see it. */
  label: string;
  /** Words beside the picture. */
  text?: string;
  className?: string;
  tabIndex?: number;
  /** Whether the value must not be copied now. */
  disabled?: boolean;
}

/** Copies a value, and says so in place for two seconds. It stays focusable while it is disabled, as every button does. */
export function Copy({ value, label, text, className, tabIndex, disabled }: Props) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 2_000);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = () => navigator.clipboard.writeText(value).then(() => setDone(true));
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      aria-disabled={disabled || undefined}
      onClick={() => void (disabled || copy())}
      aria-label={text ? undefined : label}
      title={label}
      className={cx(
        "inline-flex min-h-6 min-w-6 items-center justify-center gap-1.5 rounded align-middle text-muted not-aria-disabled:hover:bg-sunken not-aria-disabled:hover:text-text aria-disabled:cursor-not-allowed aria-disabled:text-faint",
        text && "px-2 text-13",
        className,
      )}
    >
      <Icon name={done ? "check" : "copy"} className={done ? "text-good" : undefined} />
      {text && (done ? words.done : text)}
      <span aria-live="polite" className="sr-only">
        {done && words.done}
      </span>
    </button>
  );
}
