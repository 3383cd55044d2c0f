import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { api, background } from "../api/client.ts";
import { withoutAbsent } from "../lib/search-params.ts";
import { Button } from "../ui/button.tsx";
import { FilterBar, usePlatformFilter } from "../ui/filter-bar.tsx";
import { Head } from "../ui/head.tsx";
import { ListState } from "../ui/list-state.tsx";
import { Page } from "../ui/page.tsx";
import { EndpointActs, type Open } from "./endpoint-acts.tsx";
import { EndpointTable } from "./endpoint-table.tsx";
import { words } from "./words.ts";

/** The endpoints of all platforms, those that fail first. */
export function EndpointsPage() {
  const search: { platform?: string } = useSearch({ from: "/webhooks" });
  const { platform } = search;
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>();
  const input = withoutAbsent({ platformIds: platform === undefined ? undefined : [platform] });
  const list = useQuery({
    ...api.webhooks.endpointHealth.queryOptions(input, background),
    refetchInterval: 30_000,
  });
  return (
    <Page>
      <Head title={words.title} lead={words.lead}>
        <Button kind="primary" onClick={() => setOpen({ act: "create" })}>
          {words.create}
        </Button>
      </Head>
      <FilterBar
        search={search}
        filters={[usePlatformFilter()]}
        onChange={(next) => void navigate({ to: "/webhooks", search: next })}
      />
      <ListState
        query={{ error: list.data ? null : list.error, refetch: list.refetch }}
        empty={list.data?.endpoints.length === 0}
        nothing={{ title: words.empty, text: words.emptyText }}
      >
        <EndpointTable endpoints={list.data?.endpoints} />
      </ListState>
      {list.data?.more && <p className="mt-3 text-13 text-muted">{words.more}</p>}
      {open && (
        <EndpointActs open={open} platformId={platform} onOpen={setOpen} onDone={() => void list.refetch()} />
      )}
    </Page>
  );
}
