import { Select as Base } from "@base-ui/react/select";
import { cx } from "./class.ts";
import { Icon } from "./icon.tsx";
import { popups } from "./popups.ts";

interface Props<Value extends string> {
  label: string;
  /** The chosen value; empty for none. */
  value: Value | "";
  options: readonly { value: Value | ""; text: string }[];
  onChange(value: Value | undefined): void;
  /** The value that filters nothing, shown quietly. */
  neutral?: Value | "";
}

/** A filter with its label and its value in one line. */
export function Select<Value extends string>({
  label,
  value,
  options,
  onChange,
  neutral = "",
}: Props<Value>) {
  const chosen = options.find((option) => option.value === value);
  const isSet = value !== neutral;
  return (
    <Base.Root<string> value={value} onValueChange={(next) => onChange(next ? (next as Value) : undefined)}>
      <Base.Trigger
        aria-label={`${label}: ${chosen?.text ?? value}`}
        className={cx(
          "inline-flex h-9 max-w-64 items-center gap-1.5 rounded border px-2.5 text-13 whitespace-nowrap hover:border-line-strong data-popup-open:border-line-strong",
          isSet ? "border-accent-line bg-accent-tint" : "border-line bg-surface",
        )}
      >
        <span className="text-muted">{label}</span>
        <span className={cx("truncate font-medium", isSet && "text-accent")}>{chosen?.text ?? value}</span>
        <Icon name="down" className="text-muted" />
      </Base.Trigger>
      <Base.Portal container={popups}>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-40 outline-none">
          <Base.Popup className="max-h-80 min-w-(--anchor-width) overflow-y-auto rounded bg-surface p-1 shadow-float outline-none">
            <Base.List>
              {options.map((option) => (
                <Base.Item
                  key={option.value}
                  value={option.value}
                  className="flex h-9 items-center gap-2 rounded pr-4 pl-2 text-13 outline-none data-highlighted:bg-accent-tint data-highlighted:text-accent"
                >
                  <span className="flex size-4 items-center">
                    <Base.ItemIndicator>
                      <Icon name="check" />
                    </Base.ItemIndicator>
                  </span>
                  <Base.ItemText>{option.text}</Base.ItemText>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
