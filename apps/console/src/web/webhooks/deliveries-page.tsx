import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../api/client.ts";
import { withoutAbsent } from "../lib/search-params.ts";
import { useMe } from "../lib/use-me.ts";
import { usePages } from "../lib/use-pages.ts";
import { Button } from "../ui/button.tsx";
import { Head } from "../ui/head.tsx";
import { ListState, More } from "../ui/list-state.tsx";
import { Page } from "../ui/page.tsx";
import { words } from "../words.ts";
import { DeliveriesTable } from "./deliveries-table.tsx";
import { toDeliveryFilter } from "./filter.ts";
import { DeliveryFilters } from "./filters.tsx";
import { RedeliverMany } from "./redeliver-many.tsx";
import { WebhookTabs } from "./tabs.tsx";

const { webhooks: say } = words;

/** The deliveries of all platforms, newest first. */
export function DeliveriesPage() {
  const search = useSearch({ from: "/webhooks" });
  const { may } = useMe();
  const [many, setMany] = useState(false);
  const list = usePages(["deliveries", search], (page, signal) => {
    const filter = { ...toDeliveryFilter(search, Date.now()), ...withoutAbsent({ status: search.status }) };
    return client.webhooks.searchDeliveries.query({ ...filter, ...page }, { signal });
  });
  const rows = list.data && list.pages.flatMap(({ deliveries }) => deliveries);
  return (
    <Page>
      <Head title={say.title} lead={say.lead}>
        {may("ops.webhooks") && <Button onClick={() => setMany(true)}>{say.many.button}</Button>}
      </Head>
      <WebhookTabs />
      <DeliveryFilters search={search} />
      <ListState
        query={list}
        empty={rows?.length === 0 && !list.hasNextPage}
        nothing={{ title: say.empty, text: say.emptyText }}
      >
        <DeliveriesTable deliveries={rows} />
      </ListState>
      {rows && (
        <More query={list}>
          {list.last?.narrow ? (
            <p>{say.narrow}</p>
          ) : (
            !list.hasNextPage && rows.length > 0 && <p>{say.end(rows.length)}</p>
          )}
        </More>
      )}
      {many && (
        <RedeliverMany
          filter={toDeliveryFilter(search, Date.now())}
          onClose={(done) => {
            setMany(false);
            if (done > 0) void list.refetch();
          }}
        />
      )}
    </Page>
  );
}
