import { inDays } from "../lib/numbers.ts";
import { ChoiceField } from "../ui/form-fields.tsx";
import { words } from "../words.ts";

const { apiKeys: say } = words;
const days = ["30", "90", "180", "365", "0"] as const;
export type Days = (typeof days)[number];

/** When a key expires, as the service reads it; null for never. */
export const expiryOf = (chosen: Days): string | null => (chosen === "0" ? null : inDays(Number(chosen)));

/** How long a key lives. */
export function Expiry({ value, onChange }: { value: Days; onChange(days: Days): void }) {
  return (
    <ChoiceField
      label={say.expires}
      value={value}
      options={days.map((each) => ({ value: each, text: say.expiresIn[each] }))}
      onChange={(next) => onChange(next as Days)}
      {...(value === "0" && { help: say.neverHint })}
    />
  );
}
