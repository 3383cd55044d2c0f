import type { RouterOutputs } from "@cardbridge/trpc-client";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../api/client.ts";
import { exactTime } from "../lib/age.ts";
import { useMe } from "../lib/use-me.ts";
import { usePages } from "../lib/use-pages.ts";
import { Button } from "../ui/button.tsx";
import { Head, TabLinks } from "../ui/head.tsx";
import { ListState, More } from "../ui/list-state.tsx";
import { Page } from "../ui/page.tsx";
import { EntriesTable } from "./entries-table.tsx";
import { type AuditSearch, toAuditInput } from "./filter.ts";
import { AuditFilters } from "./filters.tsx";
import { ProofDialog } from "./proof-dialog.tsx";
import { readTable } from "./read-table.ts";
import { VerifyDialog } from "./verify-dialog.tsx";
import { words } from "./words.ts";

/** The questions that auditors ask most. */
const presets: readonly { name: string; search: AuditSearch }[] = [
  { name: words.presets.all, search: {} },
  { name: words.presets.evidence, search: { operation: "records.submission", within: "24h" } },
  { name: words.presets.decisions, search: { operation: "records.resolve", within: "7d" } },
];

/** The audit of all platforms that the person may access, newest first. */
export function AuditPage() {
  const search = useSearch({ from: "/audit" });
  const [open, setOpen] = useState<"proof" | "verify">();
  const list = usePages(["audit", search], (page, signal) =>
    client.audit.list.query({ ...toAuditInput(search, Date.now()), ...page }, { signal }),
  );
  const entries = list.data && list.pages.flatMap((page) => page.entries);
  const mayRead = useMe().may("ops.audit");
  return (
    <Page>
      <Head title={words.title} lead={words.lead}>
        {mayRead && (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setOpen("verify")}>{words.verify.button}</Button>
            <Button kind="primary" disabled={!entries?.length} onClick={() => setOpen("proof")}>
              {words.proof.title}
            </Button>
          </div>
        )}
      </Head>
      <TabLinks
        label={words.presets.label}
        tabs={presets.map(({ name, search: preset }) => ({
          name,
          link: { to: "/audit", search: preset },
          bySearch: true,
        }))}
      />
      {mayRead && <AuditFilters search={search} entries={entries} />}
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
      {open === "verify" && <VerifyDialog onClose={() => setOpen(undefined)} />}
      {open === "proof" && <FoundProof search={search} onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

/** The proof of what is found now, and the same entries for a spreadsheet. */
function FoundProof({ search, onClose }: { search: AuditSearch; onClose(): void }) {
  // What happens after the dialog opens is in neither file.
  const [{ filter, name }] = useState(() => {
    const before = new Date().toISOString();
    return { filter: { ...toAuditInput(search, Date.now()), before }, name: `audit-${before.slice(0, 10)}` };
  });
  return (
    <ProofDialog
      title={words.proof.title}
      text={words.proof.lead}
      act={words.proof.act}
      name={name}
      read={async () => {
        const file = await client.audit.proof.query(filter);
        return { file, proofs: file.platforms };
      }}
      readTable={() => readTable(filter)}
      onClose={onClose}
    />
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
