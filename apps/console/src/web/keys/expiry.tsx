import { inDays } from "../lib/numbers.ts";
import { ChoiceField } from "../ui/form-fields.tsx";

const words = {
  expires: "Expires",
  expiresIn: { 30: "in 30 days", 90: "in 90 days", 180: "in 180 days", 365: "in a year", 0: "never" },
  neverHint: "A key that never expires is forgotten easily. Rotate it once a year.",
  internalHint:
    "A key of an internal app that you make needs a signed-in person at each call, and lives 90 days at most. Only the command line makes others.",
} as const;

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
  const help = internal ? words.internalHint : shown === "0" && words.neverHint;
  return (
    <ChoiceField
      label={words.expires}
      value={shown}
      options={offered.map((each) => ({ value: each, text: words.expiresIn[each] }))}
      onChange={(next) => onChange(next as Days)}
      {...(help && { help })}
    />
  );
}
