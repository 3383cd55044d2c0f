import { useState } from "react";
import { client } from "../api/client.ts";
import { useMe } from "../lib/use-me.ts";
import { Button } from "../ui/button.tsx";
import { ProofDialog } from "./proof-dialog.tsx";
import { words } from "./words.ts";

const { caseFile: say } = words;

/** Saves the case file of a record, for those who may read the audit. */
export function CaseFileButton({ kycRecordId }: { kycRecordId: string }) {
  const { may } = useMe();
  const [open, setOpen] = useState(false);
  if (!may("ops.audit")) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{say.title}</Button>
      {open && (
        <ProofDialog
          title={say.title}
          text={say.lead}
          act={say.act}
          name={`case-file-${kycRecordId}`}
          read={async () => {
            const file = await client.audit.caseFile.query({ kycRecordId });
            return { file, proofs: [file.audit] };
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
