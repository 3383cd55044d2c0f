import { type Within, withins } from "../lib/search-params.ts";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { Select } from "./select.tsx";

const words = {
  platform: "Platform",
  anyTime: "any time",
  withinOf: { "1h": "last hour", "24h": "last 24 hours", "7d": "last 7 days", "30d": "last 30 days" },
} as const;

interface PlatformProps {
  value: string | undefined;
  /** Whether the rows of internal apps, which belong to no platform, can be chosen. */
  withInternal?: boolean;
  onChange(platform: string | undefined): void;
}

/** A filter by one of the platforms that the person may access. */
export function PlatformFilter({ value, withInternal = false, onChange }: PlatformProps) {
  const { me } = useMe();
  return (
    <Select
      label={words.platform}
      value={value ?? ""}
      options={[
        { value: "", text: shared.queue.any },
        ...(me?.platforms.map(({ platformId, name }) => ({ value: platformId, text: name })) ?? []),
        ...(withInternal ? [{ value: "internal", text: shared.platforms.internal }] : []),
      ]}
      onChange={onChange}
    />
  );
}

interface WithinProps {
  label: string;
  value: Within | undefined;
  onChange(within: Within | undefined): void;
}

/** A filter by a span of time that ends now. */
export const WithinFilter = ({ label, value, onChange }: WithinProps) => (
  <Select
    label={label}
    value={value ?? ""}
    options={[
      { value: "", text: words.anyTime },
      ...withins.map((each) => ({ value: each, text: words.withinOf[each] })),
    ]}
    onChange={onChange}
  />
);
