import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, client } from "../api/client.ts";
import { sinceOf, withoutAbsent } from "../lib/search-params.ts";
import { useMe } from "../lib/use-me.ts";
import { BatchDialog } from "../ui/batch-dialog.tsx";
import { Button } from "../ui/button.tsx";
import { words } from "../words.ts";
import type { QueueSearch } from "./filter.ts";

const { requeue: say } = words;

/** Hands all records that need attention back to the workers: those of the filtered platform and time. */
export function RequeueMany({ search, onDone }: { search: QueueSearch; onDone(): void }) {
  const { may, platformName } = useMe();
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const { platform, within } = search;
  if (!may("ops.records.act")) return null;
  const filter = withoutAbsent({
    platformIds: platform === undefined ? undefined : [platform],
    createdAfter: within && sinceOf(within, Date.now()),
  });
  return (
    <>
      <Button onClick={() => setOpen(true)}>{say.button}</Button>
      {open && (
        <BatchDialog
          title={say.title}
          text={say.text(platform && platformName(platform))}
          act={say.act}
          matching={(count, exact, n) => say.matching(count, exact, n === 1)}
          done={(count, n) => say.done(count, n === 1)}
          call={async (preview) => {
            const input = { ...filter, preview, limit: 200 };
            const { matching, requeued, more } = await client.records.requeueMany.mutate(input);
            return { matching, done: requeued, more };
          }}
          onClose={(done) => {
            setOpen(false);
            if (done === 0) return;
            onDone();
            void queries.invalidateQueries(api.records.counts.queryFilter());
          }}
        />
      )}
    </>
  );
}
