import type { RouterOutputs } from "@cardbridge/trpc-client";
import { Link } from "@tanstack/react-router";
import { number } from "../lib/numbers.ts";
import { Id } from "../ui/id.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { words } from "../words.ts";
import { answerOf, eventWord, stateOfDelivery } from "./describe.ts";

const { webhooks: say } = words;
const { columns: names } = say;
type Found = RouterOutputs["webhooks"]["searchDeliveries"]["deliveries"][number];

const columns: Column<Found>[] = [
  { name: names.state, cell: (delivery) => <StateMark {...stateOfDelivery(delivery.status)} /> },
  { name: names.event, cell: ({ type }) => <span title={type}>{eventWord(type)}</span> },
  {
    name: names.record,
    cell: ({ kycRecordId }) =>
      kycRecordId === null ? (
        <span className="text-muted">{words.none}</span>
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
        {say.open}
        <span className="sr-only"> {deliveryId}</span>
      </Link>
    ),
  },
];

/** Deliveries of several endpoints, with what the receiver answered last. */
export const DeliveriesTable = ({ deliveries }: { deliveries: readonly Found[] | undefined }) => (
  <Table label={say.list} columns={columns} rows={deliveries} keyOf={({ deliveryId }) => deliveryId} />
);
