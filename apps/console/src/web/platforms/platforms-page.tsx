import type { RouterOutputs } from "@cardbridge/trpc-client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, client } from "../api/client.ts";
import { number } from "../lib/numbers.ts";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { Head } from "../ui/head.tsx";
import { Id } from "../ui/id.tsx";
import { ListState } from "../ui/list-state.tsx";
import { Page } from "../ui/page.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { PlatformTabs } from "./tabs.tsx";

const words = {
  title: "Platforms",
  lead: "Who calls the service, with which keys.",
  create: "New platform",
  createText: "It begins without users and without keys. Its id is made for you.",
  rename: "Rename",
  renameTitle: (name: string) => `Rename ${name}`,
  renameText: "Its id, its users and its keys stay the same.",
  name: "Name",
  empty: "No platforms yet",
  emptyText: "Create the first platform, then a key with which it calls.",
  toKeys: "Keys",
  toEndpoints: "Webhooks",
  bytes: (n: number) =>
    n < 1_000
      ? `${n} B`
      : n < 1_000_000
        ? `${(n / 1_000).toFixed(0)} kB`
        : n < 1_000_000_000
          ? `${(n / 1_000_000).toFixed(1)} MB`
          : `${(n / 1_000_000_000).toFixed(1)} GB`,
  more: "There are more than 200. The command line lists them all.",
} as const;

type Platform = RouterOutputs["platforms"]["list"]["platforms"][number];

/** The platforms: create one, rename one, and the way to their keys and endpoints. */
export function PlatformsPage() {
  const platforms = useQuery(api.platforms.list.queryOptions({}));
  const { may } = useMe();
  const queries = useQueryClient();
  const [open, setOpen] = useState<"new" | Platform>();
  const columns: Column<Platform>[] = [
    { name: shared.platforms.columns.name, wide: true, cell: ({ name }) => <span title={name}>{name}</span> },
    { name: shared.platforms.columns.id, cell: ({ platformId }) => <Id id={platformId} /> },
    { name: shared.platforms.columns.files, right: true, cell: ({ storedFiles }) => number(storedFiles) },
    { name: shared.platforms.columns.size, right: true, cell: ({ storedBytes }) => words.bytes(storedBytes) },
    { name: shared.platforms.columns.since, right: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      name: shared.platforms.columns.acts,
      quiet: true,
      cell: (platform) => (
        <span className="flex -ml-3 as-table:justify-end as-table:ml-0">
          {may("ops.keys") && (
            <Link
              to="/platforms/keys"
              search={{ platform: platform.platformId }}
              className={buttonClass("quiet")}
            >
              {words.toKeys}
            </Link>
          )}
          {may("ops.webhooks") && (
            <Link
              to="/webhooks/endpoints"
              search={{ platform: platform.platformId }}
              className={buttonClass("quiet")}
            >
              {words.toEndpoints}
            </Link>
          )}
          <Button kind="quiet" onClick={() => setOpen(platform)}>
            {words.rename}
          </Button>
        </span>
      ),
    },
  ];
  return (
    <Page>
      <Head title={words.title} lead={words.lead}>
        {may("ops.platforms") && (
          <Button kind="primary" onClick={() => setOpen("new")}>
            {words.create}
          </Button>
        )}
      </Head>
      <PlatformTabs />
      <ListState
        query={platforms}
        empty={platforms.data?.platforms.length === 0}
        nothing={{ title: words.empty, text: words.emptyText }}
      >
        <Table
          label={words.title}
          columns={columns}
          rows={platforms.data?.platforms}
          keyOf={({ platformId }) => platformId}
        />
      </ListState>
      {platforms.data?.more && <p className="mt-3 text-13 text-muted">{words.more}</p>}
      {open && (
        <PlatformDialog
          {...(open !== "new" && { platform: open })}
          onClose={() => setOpen(undefined)}
          onDone={() => {
            void platforms.refetch();
            // Forms offer the platforms of the person.
            void queries.invalidateQueries(api.persons.me.queryFilter());
          }}
        />
      )}
    </Page>
  );
}

interface Props {
  /** Absent for a new one. */
  platform?: { platformId: string; name: string };
  onClose(): void;
  onDone(): void;
}

/** Creates a platform, or renames one. */
function PlatformDialog({ platform, onClose, onDone }: Props) {
  const [name, setName] = useState(platform?.name ?? "");
  const mutation = useMutation({
    mutationFn: () =>
      platform
        ? client.platforms.rename.mutate({ platformId: platform.platformId, name: name.trim() })
        : client.platforms.create.mutate({ name: name.trim() }),
    onSuccess: () => {
      onDone();
      onClose();
    },
  });
  return (
    <ActDialog
      title={platform ? words.renameTitle(platform.name) : words.create}
      happens={platform ? words.renameText : words.createText}
      act={platform ? words.rename : words.create}
      ready={name.trim() !== "" && name.trim() !== platform?.name}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      onClose={onClose}
    >
      <TextField label={words.name} value={name} maxLength={64} required onChange={setName} />
    </ActDialog>
  );
}
