import { useId } from "react";
import { cx } from "./class.ts";

interface Props<Value extends string> {
  legend: string;
  options: readonly { value: Value; text: string; detail?: string }[];
  value: Value | undefined;
  onChange(value: Value): void;
  /** The layout of the options. */
  className?: string;
}

/** One of a few options, all of them visible. */
export function Choices<Value extends string>(props: Props<Value>) {
  const { legend, options, value, onChange, className = "flex-col" } = props;
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1 text-13 text-muted">{legend}</legend>
      <div className={cx("flex", className)}>
        {options.map((option) => (
          <label key={option.value} className="flex min-h-8 cursor-pointer items-center gap-2 py-1">
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              onChange={() => onChange(option.value)}
              className="size-4 shrink-0 accent-accent"
            />
            <span>
              {option.text}
              {option.detail && <span className="text-13 text-muted"> · {option.detail}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
