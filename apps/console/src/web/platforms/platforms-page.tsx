import type { RouterOutputs } from "@cardbridge/trpc-client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, client } from "../api/client.ts";
import { number } from "../lib/numbers.ts";
import { useMe } from "../lib/use-me.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { Head } from "../ui/head.tsx";
import { Id } from "../ui/id.tsx";
import { ListState } from "../ui/list-state.tsx";
import { Page } from "../ui/page.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { words } from "../words.ts";
import { PlatformTabs } from "./tabs.tsx";

const { platforms: say } = words;
type Platform = RouterOutputs["platforms"]["list"]["platforms"][number];

/** The platforms: create one, rename one, and the way to their keys and endpoints. */
export function PlatformsPage() {
  const platforms = useQuery(api.platforms.list.queryOptions({}));
  const { may } = useMe();
  const queries = useQueryClient();
  const [open, setOpen] = useState<"new" | Platform>();
  const columns: Column<Platform>[] = [
    { name: say.columns.name, wide: true, cell: ({ name }) => <span title={name}>{name}</span> },
    { name: say.columns.id, cell: ({ platformId }) => <Id id={platformId} /> },
    { name: say.columns.files, right: true, cell: ({ storedFiles }) => number(storedFiles) },
    { name: say.columns.size, right: true, cell: ({ storedBytes }) => say.bytes(storedBytes) },
    { name: say.columns.since, right: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      name: say.columns.acts,
      quiet: true,
      cell: (platform) => (
        <span className="flex -ml-3 as-table:justify-end as-table:ml-0">
          {may("ops.keys") && (
            <Link
              to="/platforms/keys"
              search={{ platform: platform.platformId }}
              className={buttonClass("quiet")}
            >
              {say.toKeys}
            </Link>
          )}
          {may("ops.webhooks") && (
            <Link
              to="/webhooks/endpoints"
              search={{ platform: platform.platformId }}
              className={buttonClass("quiet")}
            >
              {say.toEndpoints}
            </Link>
          )}
          <Button kind="quiet" onClick={() => setOpen(platform)}>
            {say.rename}
          </Button>
        </span>
      ),
    },
  ];
  return (
    <Page>
      <Head title={say.title} lead={say.lead}>
        {may("ops.platforms") && (
          <Button kind="primary" onClick={() => setOpen("new")}>
            {say.create}
          </Button>
        )}
      </Head>
      <PlatformTabs />
      <ListState
        query={platforms}
        empty={platforms.data?.platforms.length === 0}
        nothing={{ title: say.empty, text: say.emptyText }}
      >
        <Table
          label={say.title}
          columns={columns}
          rows={platforms.data?.platforms}
          keyOf={({ platformId }) => platformId}
        />
      </ListState>
      {platforms.data?.more && <p className="mt-3 text-13 text-muted">{say.more}</p>}
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
      title={platform ? say.renameTitle(platform.name) : say.create}
      happens={platform ? say.renameText : say.createText}
      act={platform ? say.rename : say.create}
      ready={name.trim() !== "" && name.trim() !== platform?.name}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      onClose={onClose}
    >
      <TextField label={say.name} value={name} maxLength={64} required onChange={setName} />
    </ActDialog>
  );
}
