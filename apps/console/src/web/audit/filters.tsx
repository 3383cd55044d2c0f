import type { AuditEntry } from "@cardbridge/trpc-client";
import { Link, useNavigate } from "@tanstack/react-router";
import { auditedActs, auditedOutcomes } from "../lib/audited.ts";
import { shortId } from "../lib/ids.ts";
import { withoutAbsent } from "../lib/search-params.ts";
import { shared } from "../lib/words.ts";
import { buttonClass } from "../ui/button.tsx";
import { PlatformFilter, WithinFilter } from "../ui/filters.tsx";
import { Icon } from "../ui/icon.tsx";
import { Select } from "../ui/select.tsx";
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
  const changed = (fields: { [Name in keyof AuditSearch]?: AuditSearch[Name] | undefined }) =>
    withoutAbsent({ ...search, ...fields }) as AuditSearch;
  const set = (fields: Parameters<typeof changed>[0]) =>
    void navigate({ to: "/audit", search: changed(fields) });
  const textOf = (field: (typeof linked)[number], id: string) => {
    const name = entries?.find((entry) => field === "person" && entry.person === id)?.by?.name;
    return field === "subject" ? words.about(shortId(id)) : words.by(name ?? shortId(id));
  };
  const chosen = linked.flatMap((field) => {
    const id = search[field];
    return id === undefined ? [] : [{ text: textOf(field, id), without: changed({ [field]: undefined }) }];
  });
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
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
      <Select
        label={words.columns.what}
        value={search.operation ?? ""}
        options={optionsOf(auditedActs, search.operation)}
        onChange={(operation) => set({ operation })}
      />
      <Select
        label={words.outcome}
        value={search.outcome ?? ""}
        options={optionsOf(auditedOutcomes, search.outcome)}
        onChange={(outcome) => set({ outcome })}
      />
      <PlatformFilter value={search.platform} withInternal onChange={(platform) => set({ platform })} />
      <WithinFilter label={words.within} value={search.within} onChange={(within) => set({ within })} />
      {Object.keys(search).length > 0 && (
        <Link to="/audit" search={{}} className={buttonClass("quiet")}>
          {words.clear}
        </Link>
      )}
    </div>
  );
}

/** All values in words, and the one of the address if it has none. */
function optionsOf(all: Readonly<Record<string, string>>, chosen: string | undefined) {
  const values = Object.entries(all).map(([value, text]) => ({ value, text }));
  const unknown = chosen === undefined || chosen in all ? [] : [{ value: chosen, text: chosen }];
  return [{ value: "", text: shared.queue.any }, ...values, ...unknown];
}
