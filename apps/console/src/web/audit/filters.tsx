import type { AuditEntry } from "@cardbridge/trpc-client";
import { Link, useNavigate } from "@tanstack/react-router";
import { auditedActs, auditedOutcomes } from "../lib/audited.ts";
import { shortId } from "../lib/ids.ts";
import { shared } from "../lib/words.ts";
import { type Filter, FilterBar, usePlatformFilter, withinFilter } from "../ui/filter-bar.tsx";
import { Icon } from "../ui/icon.tsx";
import type { AuditSearch } from "./filter.ts";
import { words } from "./words.ts";

interface Props {
  search: AuditSearch;
  entries: readonly AuditEntry[] | undefined;
}

/** The filters that links of entries and of other views set: nobody types an id. */
const linked = ["person", "key", "subject"] as const;

/** The filters of the audit. */
export function AuditFilters({ search, entries }: Props) {
  const navigate = useNavigate();
  const platforms = usePlatformFilter();
  const filters: Filter<AuditSearch>[] = [
    { field: "operation", label: words.columns.what, texts: auditedActs },
    { field: "outcome", label: words.outcome, texts: auditedOutcomes },
    { ...platforms, texts: { ...platforms.texts, internal: shared.platforms.internal } },
    withinFilter(words.within),
  ];
  const textOf = (field: (typeof linked)[number], id: string) => {
    const name = entries?.find((entry) => field === "person" && entry.person === id)?.by?.name;
    return field === "subject" ? words.about(shortId(id)) : words.by(name ?? shortId(id));
  };
  const chosen = linked.flatMap((field) => {
    const id = search[field];
    if (id === undefined) return [];
    const { [field]: _, ...without } = search;
    return [{ text: textOf(field, id), without }];
  });
  return (
    <>
      {chosen.length > 0 && (
        <div className="flex flex-wrap gap-2 pb-2">
          {chosen.map(({ text, without }) => (
            <Link
              key={text}
              to="/audit"
              search={without}
              aria-label={words.remove(text)}
              className="inline-flex h-9 items-center gap-1.5 rounded border border-accent-line bg-accent-tint px-2.5 text-13 font-medium text-accent"
            >
              {text}
              <Icon name="close" />
            </Link>
          ))}
        </div>
      )}
      <FilterBar
        search={search}
        filters={filters}
        onChange={(next) => void navigate({ to: "/audit", search: next })}
      />
    </>
  );
}
