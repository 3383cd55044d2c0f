import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, client } from "../api/client.ts";
import { sinceOf, withoutAbsent } from "../lib/search-params.ts";
import { useMe } from "../lib/use-me.ts";
import { BatchDialog } from "../ui/batch-dialog.tsx";
import { Button } from "../ui/button.tsx";
import type { QueueSearch } from "./filter.ts";

const words = {
  button: "Requeue all…",
  title: "Requeue what needs attention",
  text: (platform: string | undefined) =>
    platform === undefined
      ? "All records that need attention are tried again by the workers, oldest first. Nothing is sent twice."
      : `The records of ${platform} that need attention are tried again by the workers, oldest first. Nothing is sent twice.`,
  act: "Requeue",
  matching: (n: string, exact: boolean, one: boolean) =>
    one ? "1 record needs attention." : `${n}${exact ? "" : " or more"} records need attention.`,
  done: (n: string, one: boolean) => (one ? "1 record is tried again." : `${n} records are tried again.`),
} as const;

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
      <Button onClick={() => setOpen(true)}>{words.button}</Button>
      {open && (
        <BatchDialog
          title={words.title}
          text={words.text(platform && platformName(platform))}
          act={words.act}
          matching={(count, exact, n) => words.matching(count, exact, n === 1)}
          done={(count, n) => words.done(count, n === 1)}
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
