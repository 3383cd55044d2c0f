import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../api/client.ts";
import { usePages } from "../lib/use-pages.ts";
import { Button } from "../ui/button.tsx";
import { Head } from "../ui/head.tsx";
import { ListState, More } from "../ui/list-state.tsx";
import { Page } from "../ui/page.tsx";
import { words } from "../words.ts";
import { EntriesTable } from "./entries-table.tsx";
import { ExportDialog } from "./export-dialog.tsx";
import { evidenceOperation, toAuditInput } from "./filter.ts";
import { AuditFilters } from "./filters.tsx";
import { Reached } from "./reached.tsx";
import { AuditTabs } from "./tabs.tsx";

const { audit: say } = words;

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
      <Head title={say.title} lead={evidence ? say.evidenceLead : say.lead}>
        <Button disabled={!entries?.length} onClick={() => setExporting(true)}>
          {say.export.button}
        </Button>
      </Head>
      <AuditTabs search={search} />
      <AuditFilters search={search} />
      <ListState
        query={list}
        empty={entries?.length === 0 && !list.hasNextPage}
        nothing={{ title: say.empty, text: say.emptyText }}
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
