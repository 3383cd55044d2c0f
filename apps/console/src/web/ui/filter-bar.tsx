import { useState } from "react";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { Button } from "./button.tsx";
import { cx } from "./class.ts";
import { Select } from "./select.tsx";

const words = {
  filters: "Filters",
  platform: "Platform",
  clear: "Clear",
  anyTime: "any time",
  withinOf: { "1h": "last hour", "24h": "last 24 hours", "7d": "last 7 days", "30d": "last 30 days" },
} as const;

type Texts = Readonly<Record<string, string>>;

/** A filter that a person chooses: the search parameter, its name, and a text for each value. */
export interface Filter<Search> {
  field: keyof Search & string;
  label: string;
  texts: Texts;
  /** The text for no value. */
  none?: string;
}

/** A filter by a span of time that ends now. */
export const withinFilter = (label: string) =>
  ({ field: "within", label, texts: words.withinOf, none: words.anyTime }) as const;

/** A filter by one of the platforms that the person may access. */
export function usePlatformFilter() {
  const platforms = useMe().me?.platforms ?? [];
  const texts: Texts = Object.fromEntries(platforms.map(({ platformId, name }) => [platformId, name]));
  return { field: "platform", label: words.platform, texts } as const;
}

interface Props<Search> {
  search: Search;
  filters: readonly Filter<Search>[];
  /** The parameters that are no filters: Clear keeps them. */
  kept?: readonly (keyof Search)[];
  onChange(search: Search): void;
}

/** The filters of a list. On a phone, many are folded. */
export function FilterBar<Search extends object>({ search, filters, kept = [], onChange }: Props<Search>) {
  const [open, setOpen] = useState(false);
  const fields = Object.entries(search) as [keyof Search & string, string][];
  const count = fields.filter(([name]) => !kept.includes(name)).length;
  const isFolded = filters.length > 3;
  const withFields = (entries: [string, string][]) => onChange(Object.fromEntries(entries) as Search);
  const set = (field: string, value: string | undefined) => {
    const others = fields.filter(([name]) => name !== field);
    withFields(value === undefined ? others : [...others, [field, value]]);
  };
  return (
    <div className="pb-3">
      {isFolded && (
        <Button className="sm:hidden" aria-expanded={open} onClick={() => setOpen(!open)}>
          {words.filters}
          {count > 0 && <span className="rounded-full bg-accent-tint px-2 text-12 text-accent">{count}</span>}
        </Button>
      )}
      <div className={cx("flex flex-wrap items-center gap-2", isFolded && (open ? "mt-2" : "max-sm:hidden"))}>
        {filters.map(({ field, label, texts, none = shared.queue.any }) => (
          <Select
            key={field}
            label={label}
            value={(search[field] as string | undefined) ?? ""}
            options={optionsOf(texts, none, search[field] as string | undefined)}
            onChange={(value) => set(field, value)}
          />
        ))}
        {count > 0 && (
          <Button kind="quiet" onClick={() => withFields(fields.filter(([name]) => kept.includes(name)))}>
            {words.clear}
          </Button>
        )}
      </div>
    </div>
  );
}

/** All values in words, and the one of the address if it has none. */
function optionsOf(texts: Texts, none: string, chosen: string | undefined) {
  const values = Object.entries(texts).map(([value, text]) => ({ value, text }));
  const unknown = chosen === undefined || chosen in texts ? [] : [{ value: chosen, text: chosen }];
  return [{ value: "", text: none }, ...values, ...unknown];
}
