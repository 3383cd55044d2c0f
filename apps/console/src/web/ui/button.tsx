import type { ComponentProps } from "react";
import { cx } from "./class.ts";

interface Props extends ComponentProps<"button"> {
  kind?: keyof typeof kinds;
  /** The key that does the same. */
  shortcut?: string;
}

const base =
  "inline-flex h-9 items-center justify-center gap-2 rounded px-3 text-14 font-medium whitespace-nowrap select-none aria-disabled:cursor-not-allowed";
const kinds = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong aria-disabled:opacity-60",
  plain:
    "border border-line bg-surface text-text shadow-[0_1px_1px_rgb(20_27_45/0.04)] hover:border-line-strong hover:bg-sunken aria-disabled:text-faint",
  /** What cannot be taken back. */
  danger: "border border-bad bg-bad text-surface hover:brightness-90 aria-disabled:opacity-60",
  /** Opens what leads to it. */
  toDanger: "border border-bad-line bg-surface text-bad hover:bg-bad-tint aria-disabled:opacity-60",
  quiet: "text-accent hover:bg-accent-tint aria-disabled:text-faint",
};

/** A button. It stays focusable while it is disabled, so that focus is not lost while something runs. */
export function Button({
  kind = "plain",
  shortcut,
  className,
  disabled,
  onClick,
  children,
  ...props
}: Props) {
  return (
    <button
      type="button"
      {...props}
      aria-disabled={disabled || undefined}
      aria-keyshortcuts={shortcut}
      onClick={(event) => (disabled ? event.preventDefault() : onClick?.(event))}
      className={cx(base, kinds[kind], className)}
    >
      {children}
      {shortcut && <Key on={kind === "primary" ? "accent" : "surface"}>{shortcut}</Key>}
    </button>
  );
}

export const buttonClass = (kind: keyof typeof kinds): string => cx(base, kinds[kind]);

interface KeyProps {
  children: string;
  on?: "accent" | "surface";
  /** Also where there is no keyboard. */
  always?: boolean;
}

/** The cap of a key. Touch screens and narrow ones have none. */
export function Key({ children, on = "surface", always }: KeyProps) {
  const look = on === "accent" ? "border-on-accent/40" : "border-line bg-surface text-muted";
  return (
    <span
      aria-hidden="true"
      className={cx(
        "h-5 min-w-5 items-center justify-center rounded border px-1 font-sans text-12 font-normal",
        always ? "inline-flex" : "hidden pointer-fine:md:inline-flex",
        look,
      )}
    >
      {children}
    </span>
  );
}
