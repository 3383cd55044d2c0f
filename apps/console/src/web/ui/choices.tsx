import { useEffect, useId, useRef } from "react";
import { cx } from "./class.ts";

interface Props<Value extends string> {
  legend: string;
  options: readonly { value: Value; text: string; detail?: string }[];
  value: Value | undefined;
  onChange(value: Value): void;
  /** The layout of the options. */
  className?: string;
  /** The first option gets the focus when the choices appear. */
  focusFirst?: boolean;
}

/** One of a few options, all of them visible. */
export function Choices<Value extends string>(props: Props<Value>) {
  const { legend, options, value, onChange, className, focusFirst } = props;
  const name = useId();
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focusFirst) first.current?.focus();
  }, [focusFirst]);
  return (
    <fieldset>
      <legend className="mb-1 text-13 text-muted">{legend}</legend>
      <div className={cx("flex", className ?? "flex-col")}>
        {options.map((option, index) => (
          <label key={option.value} className="flex min-h-8 cursor-pointer items-center gap-2 py-1">
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value === option.value}
              ref={index === 0 ? first : undefined}
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
