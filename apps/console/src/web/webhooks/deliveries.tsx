import type { RouterOutputs } from "@cardbridge/trpc-client";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { background, client } from "../api/client.ts";
import { number } from "../lib/numbers.ts";
import { withoutAbsent } from "../lib/search-params.ts";
import { useNow } from "../lib/use-now.ts";
import { usePages } from "../lib/use-pages.ts";
import { BatchDialog } from "../ui/batch-dialog.tsx";
import { Button } from "../ui/button.tsx";
import { type Filter, FilterBar, withinFilter } from "../ui/filter-bar.tsx";
import { Id } from "../ui/id.tsx";
import { ListState, More } from "../ui/list-state.tsx";
import { Section } from "../ui/section.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { answerOf, eventWord, nextWords, stateOfDelivery } from "./describe.ts";
import { type DeliveriesSearch, type Reference, toDeliveryFilter } from "./filter.ts";
import { words } from "./words.ts";

const { columns: names, list: say, send } = words;
const here = "/webhooks/$platformId/$endpointId";
const filters: readonly Filter<DeliveriesSearch>[] = [
  { field: "status", label: say.status, texts: words.statusOf },
  { field: "type", label: say.type, texts: words.typeOf },
  withinFilter(say.within),
];

type Found = RouterOutputs["webhooks"]["searchDeliveries"]["deliveries"][number];

const columns: Column<Found>[] = [
  { name: names.state, cell: (delivery) => <State delivery={delivery} /> },
  {
    name: names.delivery,
    wide: true,
    cell: ({ platformId, endpointId, deliveryId, type, kycRecordId }) => (
      <span className="inline-flex flex-wrap items-center gap-x-2">
        <Link
          to="/webhooks/$platformId/$endpointId/$deliveryId"
          params={{ platformId, endpointId, deliveryId }}
          className="rounded font-medium text-accent hover:underline"
        >
          {eventWord(type)}
        </Link>
        {kycRecordId !== null && (
          <Id id={kycRecordId} to={{ to: "/records/$kycRecordId", params: { kycRecordId } }} />
        )}
      </span>
    ),
  },
  {
    name: names.answer,
    cell: ({ lastStatus, lastReason, attempts }) => (
      <>
        {answerOf({ status: lastStatus, reason: lastReason })}
        {attempts > 0 && (
          <span className="text-muted"> · {say.attempts(number(attempts), attempts === 1)}</span>
        )}
      </>
    ),
  },
  { name: names.created, right: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

function State({ delivery: { status, dueAt } }: { delivery: Found }) {
  const now = useNow();
  return (
    <span className="inline-flex items-center gap-2">
      <StateMark {...stateOfDelivery(status)} />
      {status === "pending" && <span className="text-13 text-muted">{nextWords(dueAt, now)}</span>}
    </span>
  );
}

/** The deliveries of an endpoint, newest first, and sending those that wait or failed. */
export function Deliveries({ reference, enabled }: { reference: Reference; enabled: boolean }) {
  const search: DeliveriesSearch = useSearch({ from: here });
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const read = (page: { cursor?: string }, signal: AbortSignal) => {
    const filter = toDeliveryFilter(reference, search, Date.now());
    const input = { ...filter, ...withoutAbsent({ status: search.status }), ...page };
    return client.webhooks.searchDeliveries.query(input, { signal, ...background.trpc });
  };
  const list = usePages(["deliveries", reference, search], read, { refetchInterval: 10_000 });
  const rows = list.data && list.pages.flatMap(({ deliveries }) => deliveries);
  const { status } = search;
  const why = !enabled ? send.off : status === "delivered" ? send.delivered : undefined;
  return (
    <Section title={say.title}>
      <div className="flex flex-wrap justify-between gap-x-2">
        <FilterBar
          search={search}
          filters={filters}
          onChange={(next) => void navigate({ to: here, params: reference, search: next })}
        />
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-3">
          {why && <span className="text-13 text-muted">{why}</span>}
          <Button disabled={why !== undefined} onClick={() => setOpen(true)}>
            {status === "pending" || status === "failed" ? send[status] : send.all}
          </Button>
        </span>
      </div>
      <ListState
        query={list}
        empty={rows?.length === 0 && !list.hasNextPage}
        nothing={{ title: say.empty, text: say.emptyText }}
      >
        <Table label={say.title} columns={columns} rows={rows} keyOf={({ deliveryId }) => deliveryId} />
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
      {open && (
        <SendNow
          reference={reference}
          search={search}
          onClose={(done) => {
            setOpen(false);
            if (done > 0) void list.refetch();
          }}
        />
      )}
    </Section>
  );
}

interface SendProps {
  reference: Reference;
  search: DeliveriesSearch;
  onClose(done: number): void;
}

/** Sends what waits or failed and matches the filters, in bounded calls. */
function SendNow({ reference, search, onClose }: SendProps) {
  const { status } = search;
  const statuses = status === "pending" || status === "failed" ? [status] : (["pending", "failed"] as const);
  return (
    <BatchDialog
      title={send.title}
      text={send.text}
      act={send.act}
      matching={(count, exact, n) => send.matching(count, exact, n === 1)}
      done={(count, n) => send.done(count, n === 1)}
      call={async (preview) => {
        const filter = { ...toDeliveryFilter(reference, search, Date.now()), statuses: [...statuses] };
        const input = { ...filter, preview, limit: 200 };
        const { matching, redelivered, more } = await client.webhooks.redeliverMany.mutate(input);
        return { matching, done: redelivered, more };
      }}
      onClose={onClose}
    />
  );
}
