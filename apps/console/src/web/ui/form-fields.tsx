import type { ComponentProps, ReactNode } from "react";
import { cx } from "./class.ts";
import { boxClass, Field, type Labelled } from "./field.tsx";

const words = {
  choose: "Choose…",
} as const;

interface TextProps extends Labelled, Omit<ComponentProps<"input">, "onChange" | "id" | "className"> {
  /** Ids and other values that are read letter by letter. */
  mono?: boolean;
  onChange(value: string): void;
}

/** One line of text. */
export function TextField({ label, help, fault, optional, className, mono, onChange, ...props }: TextProps) {
  return (
    <Field {...{ label, help, fault, optional, className }}>
      {(control) => (
        <input
          type="text"
          autoComplete="off"
          spellCheck={false}
          {...props}
          {...control}
          onChange={(event) => onChange(event.target.value)}
          className={cx(boxClass, mono && "mono")}
        />
      )}
    </Field>
  );
}

interface AreaProps extends Labelled, Omit<ComponentProps<"textarea">, "onChange" | "id" | "className"> {
  onChange(value: string): void;
}

/** A text of several lines, as long as a note may be. Ctrl Enter sends its form, and Escape leaves it. */
export function TextArea({ label, help, fault, optional, className, onChange, ...props }: AreaProps) {
  return (
    <Field {...{ label, help, fault, optional, className }}>
      {(control) => (
        <textarea
          rows={2}
          maxLength={4_000}
          {...props}
          {...control}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            const { key, ctrlKey, metaKey, currentTarget } = event;
            if (key === "Enter" && (ctrlKey || metaKey)) currentTarget.form?.requestSubmit();
            if (key === "Escape") currentTarget.blur();
          }}
          className="field-sizing-content max-h-60 min-h-20 w-full resize-y rounded border border-line-strong bg-surface px-3 py-2"
        />
      )}
    </Field>
  );
}

interface ChoiceProps extends Labelled {
  value: string;
  options: readonly { value: string; text: string }[];
  onChange(value: string): void;
}

/**
 * One of a few values. The browser's own list works with every reader and on every screen. A browser shows the first option
 * for a value that is none of them: instead, nothing is chosen then, and the form is not sent.
 */
export function ChoiceField({ value, options, onChange, ...labelled }: ChoiceProps) {
  const isOption = options.some((option) => option.value === value);
  return (
    <Field {...labelled}>
      {(control) => (
        <select
          {...control}
          required
          value={isOption ? value : ""}
          onChange={(event) => onChange(event.target.value)}
          className={boxClass}
        >
          {!isOption && (
            <option value="" disabled>
              {words.choose}
            </option>
          )}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckProps {
  checked: boolean;
  disabled?: boolean;
  onChange(checked: boolean): void;
  children: ReactNode;
}

/** A box to tick, with its words beside it. */
export function Check({ checked, disabled, onChange, children }: CheckProps) {
  return (
    <label className="flex min-h-8 cursor-pointer items-start gap-2 py-1.5">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0">{children}</span>
    </label>
  );
}
