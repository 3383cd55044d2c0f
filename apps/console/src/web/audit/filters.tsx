import { Link, useNavigate } from "@tanstack/react-router";
import { withins, withoutAbsent } from "../lib/search-params.ts";
import { useMe } from "../lib/use-me.ts";
import { buttonClass } from "../ui/button.tsx";
import { IdFilter } from "../ui/id-filter.tsx";
import { Select } from "../ui/select.tsx";
import { words } from "../words.ts";
import { type AuditSearch, evidenceOperation, filterOfId } from "./filter.ts";

const { audit: say, queue } = words;
/** The operations that people look for; any other one can be in the address. */
const operations = [
  evidenceOperation,
  "records.resolve",
  "records.get",
  "proposals.confirm",
  "users.identifiers",
  "users.erase",
  "users.relink",
  "users.export",
  "keys.create",
  "keys.rotate",
  "keys.revoke",
  "persons.block",
  "pauses.pauseProvider",
  "pauses.pausePlatform",
  "pauses.resume",
  "webhooks.update",
  "kyc.submit",
];

/** The filters of the audit. */
export function AuditFilters({ search }: { search: AuditSearch }) {
  const { me } = useMe();
  const navigate = useNavigate();
  const set = (fields: { [Name in keyof AuditSearch]?: AuditSearch[Name] | undefined }) =>
    void navigate({ to: "/audit", search: withoutAbsent({ ...search, ...fields }) as AuditSearch });
  const any = { value: "" as const, text: queue.any };
  const withChosen = (values: readonly string[], chosen: string | undefined) =>
    chosen === undefined || values.includes(chosen) ? values : [...values, chosen];
  const outcomes: Readonly<Record<string, string>> = say.outcomeOf;
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      <IdFilter
        label={say.find}
        act={say.findAct}
        wrong={say.findWrong}
        value={search.subject ?? search.person ?? search.key ?? ""}
        accepts={(id) => /^[a-z]{2,8}_[A-Za-z0-9_]{1,70}$/.test(id)}
        onFind={(id) => set({ person: undefined, key: undefined, subject: undefined, ...filterOfId(id) })}
      />
      <Select
        label={say.operation}
        value={search.operation ?? ""}
        options={[any, ...withChosen(operations, search.operation).map((value) => ({ value, text: value }))]}
        onChange={(operation) => set({ operation })}
      />
      <Select
        label={say.outcome}
        value={search.outcome ?? ""}
        options={[
          any,
          ...withChosen(Object.keys(outcomes), search.outcome).map((value) => ({
            value,
            text: outcomes[value] ?? value,
          })),
        ]}
        onChange={(outcome) => set({ outcome })}
      />
      <Select
        label={say.platform}
        value={search.platform ?? ""}
        options={[
          any,
          ...(me?.platforms.map(({ platformId, name }) => ({ value: platformId, text: name })) ?? []),
          { value: "internal", text: words.platforms.internal },
        ]}
        onChange={(platform) => set({ platform })}
      />
      <Select
        label={say.within}
        value={search.within ?? ""}
        options={[
          { value: "", text: queue.anyTime },
          ...withins.map((value) => ({ value, text: words.queue.withinOf[value] })),
        ]}
        onChange={(within) => set({ within })}
      />
      {Object.keys(search).length > 0 && (
        <Link to="/audit" search={{}} className={buttonClass("quiet")}>
          {say.clear}
        </Link>
      )}
    </div>
  );
}
