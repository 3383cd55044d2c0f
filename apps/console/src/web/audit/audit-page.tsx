import type { RouterOutputs } from "@cardbridge/trpc-client";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../api/client.ts";
import { exactTime } from "../lib/age.ts";
import { withoutAbsent } from "../lib/search-params.ts";
import { usePages } from "../lib/use-pages.ts";
import { shared } from "../lib/words.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { PlatformFilter, WithinFilter } from "../ui/filters.tsx";
import { Head } from "../ui/head.tsx";
import { IdFilter } from "../ui/id-filter.tsx";
import { ListState, More } from "../ui/list-state.tsx";
import { Page } from "../ui/page.tsx";
import { Select } from "../ui/select.tsx";
import { EntriesTable } from "./entries-table.tsx";
import { ExportDialog } from "./export-dialog.tsx";
import { type AuditSearch, evidenceOperation, filterOfId, toAuditInput } from "./filter.ts";
import { AuditTabs } from "./tabs.tsx";
import { words } from "./words.ts";

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

/** The audit of all platforms that the person may access, newest first. */
export function AuditPage() {
  const search = useSearch({ from: "/audit" });
  const [exporting, setExporting] = useState(false);
  const evidence = search.operation === evidenceOperation;
  const list = usePages(["audit", search], (page, signal) =>
    client.audit.list.query({ ...toAuditInput(search, Date.now()), ...page }, { signal }),
  );
  const entries = list.data && list.pages.flatMap((page) => page.entries);
  return (
    <Page>
      <Head title={words.title} lead={evidence ? words.evidenceLead : words.lead}>
        <Button disabled={!entries?.length} onClick={() => setExporting(true)}>
          {words.export.button}
        </Button>
      </Head>
      <AuditTabs search={search} />
      <AuditFilters search={search} />
      <ListState
        query={list}
        empty={entries?.length === 0 && !list.hasNextPage}
        nothing={{ title: words.empty, text: words.emptyText }}
      >
        <EntriesTable entries={entries} search={search} />
      </ListState>
      {list.last && (
        <More query={list}>
          <Reached page={list.last} />
        </More>
      )}
      {exporting && <ExportDialog search={search} onClose={() => setExporting(false)} />}
    </Page>
  );
}

/** How far back a search has read, so that nobody takes silence for proof. */
function Reached({ page }: { page: RouterOutputs["audit"]["list"] }) {
  const { reachesTo, since, narrow, nextCursor } = page;
  return (
    <p className="flex flex-wrap gap-x-2">
      {reachesTo !== null && <span>{words.reaches(exactTime(reachesTo))}</span>}
      {narrow && <span>{words.narrow}</span>}
      {nextCursor === null && <span>{words.all}</span>}
      {since !== null && <span>{words.since(exactTime(since))}</span>}
    </p>
  );
}

/** The filters of the audit. */
function AuditFilters({ search }: { search: AuditSearch }) {
  const navigate = useNavigate();
  const set = (fields: { [Name in keyof AuditSearch]?: AuditSearch[Name] | undefined }) =>
    void navigate({ to: "/audit", search: withoutAbsent({ ...search, ...fields }) as AuditSearch });
  const any = { value: "" as const, text: shared.queue.any };
  const withChosen = (values: readonly string[], chosen: string | undefined) =>
    chosen === undefined || values.includes(chosen) ? values : [...values, chosen];
  const outcomes: Readonly<Record<string, string>> = words.outcomeOf;
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      <IdFilter
        label={words.find}
        act={words.findAct}
        wrong={words.findWrong}
        value={search.subject ?? search.person ?? search.key ?? ""}
        accepts={(id) => /^[a-z]{2,8}_[A-Za-z0-9_]{1,70}$/.test(id)}
        onFind={(id) => set({ person: undefined, key: undefined, subject: undefined, ...filterOfId(id) })}
      />
      <Select
        label={words.operation}
        value={search.operation ?? ""}
        options={[any, ...withChosen(operations, search.operation).map((value) => ({ value, text: value }))]}
        onChange={(operation) => set({ operation })}
      />
      <Select
        label={words.outcome}
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
