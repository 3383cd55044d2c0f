import { type ComponentProps, type ReactNode, useId } from "react";
import { cx } from "./class.ts";

const box = "h-9 w-full min-w-0 rounded border border-line-strong bg-surface px-3 text-14";

interface Props extends Omit<ComponentProps<"input">, "onChange" | "id"> {
  label: string;
  hint?: string | undefined;
  onChange(value: string): void;
}

/** One line of text with its label above, and what it is for below. */
export function TextField({ label, hint, onChange, className, ...props }: Props) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-13 text-muted">
        {label}
      </label>
      <input
        type="text"
        autoComplete="off"
        spellCheck={false}
        {...props}
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.value)}
        className={box}
      />
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-13 text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly { value: string; text: string }[];
  onChange(value: string): void;
  hint?: string;
}

/** One of a few values, in a form. The browser's own list works with every reader and on every screen. */
export function ChoiceField({ label, value, options, onChange, hint }: ChoiceProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-13 text-muted">
        {label}
      </label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)} className={box}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
      {hint && <p className="mt-1 text-13 text-muted">{hint}</p>}
    </div>
  );
}

interface CheckProps {
  checked: boolean;
  onChange(checked: boolean): void;
  children: ReactNode;
  hint?: string;
}

/** A box to tick, with its words beside it. */
export function Check({ checked, onChange, children, hint }: CheckProps) {
  return (
    <label className="flex min-h-7 cursor-pointer items-start gap-2 py-1">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span className={cx("min-w-0")}>
        {children}
        {hint && <span className="block text-13 text-muted">{hint}</span>}
      </span>
    </label>
  );
}
