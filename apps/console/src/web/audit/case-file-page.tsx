import { useMutation } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../api/client.ts";
import { download } from "../lib/download.ts";
import { number } from "../lib/numbers.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { Head } from "../ui/head.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page } from "../ui/page.tsx";
import { Card } from "../ui/section.tsx";
import { ErrorState } from "../ui/states.tsx";
import { AuditTabs } from "./tabs.tsx";
import { words } from "./words.ts";

const { caseFile: say } = words;

/** Downloads the case file of a record. */
export function CaseFilePage() {
  const { record = "" } = useSearch({ from: "/audit/case-file" });
  const [typed, setTyped] = useState(record);
  const kycRecordId = typed.trim();
  const valid = /^kyc_[A-Za-z0-9_]+$/.test(kycRecordId);
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: async () => {
      const file = await client.audit.caseFile.query({ kycRecordId });
      const name = `case-file-${kycRecordId}.json`;
      download(name, new Blob([JSON.stringify(file, null, 2), "\n"], { type: "application/json" }));
      const { entries, checkpoints } = file.audit;
      const pending = entries.filter(({ checkpoint }) => checkpoint === null).length;
      return { name, entries: entries.length, checkpoints: checkpoints.length, pending };
    },
  });
  return (
    <Page>
      <Head title={words.title} lead={say.lead} />
      <AuditTabs />
      <form
        className="flex max-w-xl flex-col items-start gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (valid && !isPending) mutate();
        }}
      >
        <TextField
          className="w-full"
          label={say.label}
          value={typed}
          fault={kycRecordId !== "" && !valid ? say.wrong : undefined}
          onChange={setTyped}
        />
        <Button type="submit" kind="primary" disabled={!valid || isPending}>
          {isPending ? say.running : say.act}
        </Button>
      </form>
      <div role="status" className="mt-6 flex max-w-3xl flex-col gap-3">
        {data && (
          <>
            <Notice meaning="good">
              {say.done(data.name)} {say.summary(number(data.entries), number(data.checkpoints))}
            </Notice>
            {data.pending > 0 && <Notice meaning="waiting">{say.pending(data.pending)}</Notice>}
          </>
        )}
        {error && (
          <Card>
            <ErrorState error={error} />
          </Card>
        )}
        <p className="max-w-[72ch] text-muted">{say.verify}</p>
      </div>
    </Page>
  );
}
