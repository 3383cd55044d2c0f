import { inDays } from "../lib/numbers.ts";
import { ChoiceField } from "../ui/form-fields.tsx";
import { words } from "../words.ts";

const { apiKeys: say } = words;
const days = ["30", "90", "180", "365", "0"] as const;
export type Days = (typeof days)[number];

/** A key of an internal app that a person makes lives 90 days at most. */
const daysOf = (internal: boolean) => (internal ? days.slice(0, 2) : days);

/** When a key expires, as the service reads it; null for never. It sets the longest life of an internal app's key itself. */
export function expiryOf(chosen: Days, internal: boolean): string | null | undefined {
  if (internal && chosen !== "30") return undefined;
  return chosen === "0" ? null : inDays(Number(chosen));
}

interface Props {
  value: Days;
  internal: boolean;
  onChange(days: Days): void;
}

/** How long a key lives. */
export function Expiry({ value, internal, onChange }: Props) {
  const offered = daysOf(internal);
  const shown = offered.includes(value) ? value : "90";
  const help = internal ? say.internalHint : shown === "0" && say.neverHint;
  return (
    <ChoiceField
      label={say.expires}
      value={shown}
      options={offered.map((each) => ({ value: each, text: say.expiresIn[each] }))}
      onChange={(next) => onChange(next as Days)}
      {...(help && { help })}
    />
  );
}
