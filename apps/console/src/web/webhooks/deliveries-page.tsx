import type { RouterInputs, RouterOutputs } from "@cardbridge/trpc-client";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../api/client.ts";
import { number } from "../lib/numbers.ts";
import { withoutAbsent } from "../lib/search-params.ts";
import { useMe } from "../lib/use-me.ts";
import { usePages } from "../lib/use-pages.ts";
import { shared } from "../lib/words.ts";
import { BatchDialog } from "../ui/batch-dialog.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { PlatformFilter, WithinFilter } from "../ui/filters.tsx";
import { Head } from "../ui/head.tsx";
import { Id } from "../ui/id.tsx";
import { IdFilter } from "../ui/id-filter.tsx";
import { ListState, More } from "../ui/list-state.tsx";
import { Page } from "../ui/page.tsx";
import { Select } from "../ui/select.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { answerOf, eventWord, stateOfDelivery } from "./describe.ts";
import { type DeliveriesSearch, deliveryStates, eventTypes, toDeliveryFilter } from "./filter.ts";
import { WebhookTabs } from "./tabs.tsx";
import { words } from "./words.ts";

const { columns: names } = words;

const columns: Column<Found>[] = [
  { name: names.state, cell: (delivery) => <StateMark {...stateOfDelivery(delivery.status)} /> },
  { name: names.event, cell: ({ type }) => <span title={type}>{eventWord(type)}</span> },
  {
    name: names.record,
    cell: ({ kycRecordId }) =>
      kycRecordId === null ? (
        <span className="text-muted">{shared.none}</span>
      ) : (
        <Id id={kycRecordId} to={{ to: "/records/$kycRecordId", params: { kycRecordId } }} />
      ),
  },
  {
    name: names.platform,
    wide: true,
    cell: ({ platformName }) => <span title={platformName}>{platformName}</span>,
  },
  {
    name: names.answer,
    cell: ({ lastStatus, lastReason }) => answerOf({ status: lastStatus, reason: lastReason }),
  },
  { name: names.tries, right: true, cell: ({ attempts }) => number(attempts) },
  { name: names.created, right: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    name: names.open,
    quiet: true,
    cell: ({ platformId, endpointId, deliveryId }) => (
      <Link
        to="/webhooks/$platformId/$endpointId/$deliveryId"
        params={{ platformId, endpointId, deliveryId }}
        className="inline-flex min-h-6 items-center rounded font-medium text-accent hover:underline"
      >
        {words.open}
        <span className="sr-only"> {deliveryId}</span>
      </Link>
    ),
  },
];

/** Deliveries of several endpoints, with what the receiver answered last. */
const DeliveriesTable = ({ deliveries }: { deliveries: readonly Found[] | undefined }) => (
  <Table label={words.list} columns={columns} rows={deliveries} keyOf={({ deliveryId }) => deliveryId} />
);

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
      <Head title={words.title} lead={words.lead}>
        {may("ops.webhooks") && <Button onClick={() => setMany(true)}>{words.many.button}</Button>}
      </Head>
      <WebhookTabs />
      <DeliveryFilters search={search} />
      <ListState
        query={list}
        empty={rows?.length === 0 && !list.hasNextPage}
        nothing={{ title: words.empty, text: words.emptyText }}
      >
        <DeliveriesTable deliveries={rows} />
      </ListState>
      {rows && (
        <More query={list}>
          {list.last?.narrow ? (
            <p>{words.narrow}</p>
          ) : (
            !list.hasNextPage && rows.length > 0 && <p>{words.end(rows.length)}</p>
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

type Found = RouterOutputs["webhooks"]["searchDeliveries"]["deliveries"][number];

/** The filters of the deliveries. */
function DeliveryFilters({ search }: { search: DeliveriesSearch }) {
  const navigate = useNavigate();
  const set = (fields: { [Name in keyof DeliveriesSearch]?: DeliveriesSearch[Name] | undefined }) =>
    void navigate({ to: "/webhooks", search: withoutAbsent({ ...search, ...fields }) as DeliveriesSearch });
  const any = { value: "" as const, text: shared.queue.any };
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      <IdFilter
        label={words.find}
        act={words.findAct}
        wrong={words.findWrong}
        value={search.record ?? search.endpoint ?? ""}
        accepts={(id) => /^(kyc|whe)_[A-Za-z0-9_]+$/.test(id)}
        onFind={(id) =>
          set({
            record: id.startsWith("kyc_") ? id : undefined,
            endpoint: id.startsWith("whe_") ? id : undefined,
          })
        }
      />
      <Select
        label={words.status}
        value={search.status ?? ""}
        options={[any, ...deliveryStates.map((value) => ({ value, text: words.statusOf[value] }))]}
        onChange={(status) => set({ status })}
      />
      <PlatformFilter value={search.platform} onChange={(platform) => set({ platform })} />
      <Select
        label={words.type}
        value={search.type ?? ""}
        options={[any, ...eventTypes.map((value) => ({ value, text: words.typeOf[value] }))]}
        onChange={(type) => set({ type })}
      />
      <WithinFilter label={words.within} value={search.within} onChange={(within) => set({ within })} />
      {Object.keys(search).length > 0 && (
        <Link to="/webhooks" search={{}} className={buttonClass("quiet")}>
          {words.clear}
        </Link>
      )}
    </div>
  );
}

const { many: say } = words;

interface Props {
  filter: Omit<RouterInputs["webhooks"]["redeliverMany"], "preview" | "limit">;
  onClose(done: number): void;
}

/** Sends the failed deliveries of a filter again, in bounded calls. */
const RedeliverMany = ({ filter, onClose }: Props) => (
  <BatchDialog
    title={say.title}
    text={say.text}
    act={say.act}
    matching={(count, exact, n) => say.matching(count, exact, n === 1)}
    done={(count, n) => say.done(count, n === 1)}
    call={async (preview) => {
      const input = { ...filter, preview, limit: 200 };
      const { matching, redelivered, more } = await client.webhooks.redeliverMany.mutate(input);
      return { matching, done: redelivered, more };
    }}
    onClose={onClose}
  />
);
