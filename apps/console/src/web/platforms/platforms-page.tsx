import type { RouterOutputs } from "@cardbridge/trpc-client";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api/client.ts";
import { bytes, number } from "../lib/numbers.ts";
import { useMe } from "../lib/use-me.ts";
import { Button } from "../ui/button.tsx";
import { Head } from "../ui/head.tsx";
import { ListState } from "../ui/list-state.tsx";
import { Page } from "../ui/page.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { PlatformDialog } from "./platform-dialog.tsx";
import { PlatformTabs } from "./tabs.tsx";

const words = {
  title: "Platforms",
  lead: "Who calls the service. Open one for its keys, its endpoints and its limits.",
  create: "New platform",
  columns: { name: "Name", files: "Files", size: "Stored", since: "Since" },
  empty: "No platforms yet",
  emptyText: "Create the first platform, then a key with which it calls.",
  internal: "Internal apps and their keys",
  more: "There are more than 200. The command line lists them all.",
} as const;

const { columns: names } = words;
type Platform = RouterOutputs["platforms"]["list"]["platforms"][number];

const linkTo = (platformId: string) => ({ to: "/platforms/$platformId", params: { platformId } }) as const;
const linkClass =
  "rounded font-medium text-accent underline decoration-accent-line underline-offset-3 hover:decoration-accent";

const columns: Column<Platform>[] = [
  {
    name: names.name,
    wide: true,
    cell: ({ name, platformId }) => (
      <Link {...linkTo(platformId)} title={name} className={linkClass}>
        {name}
      </Link>
    ),
  },
  { name: names.files, right: true, cell: ({ storedFiles }) => number(storedFiles) },
  { name: names.size, right: true, cell: ({ storedBytes }) => bytes(storedBytes) },
  { name: names.since, right: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** The platforms, each leading to its page. */
export function PlatformsPage() {
  const platforms = useQuery(api.platforms.list.queryOptions({}));
  const { may } = useMe();
  const navigate = useNavigate();
  const [creates, setCreates] = useState(false);
  return (
    <Page>
      <Head title={words.title} lead={words.lead}>
        {may("ops.platforms") && (
          <Button kind="primary" onClick={() => setCreates(true)}>
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
          room="compact"
          columns={columns}
          rows={platforms.data?.platforms}
          keyOf={({ platformId }) => platformId}
        />
      </ListState>
      {platforms.data?.more && <p className="mt-3 text-13 text-muted">{words.more}</p>}
      {may("ops.keys") && (
        <p className="mt-4">
          <Link {...linkTo("internal")} className={linkClass}>
            {words.internal}
          </Link>
        </p>
      )}
      {creates && (
        <PlatformDialog
          onClose={() => setCreates(false)}
          onDone={(platformId) => void navigate(linkTo(platformId))}
        />
      )}
    </Page>
  );
}
