import type { WebhookDelivery, WebhookDeliveryDetails, WebhookEndpoint } from "@cardbridge/domain";
import { formatDuration } from "../duration.ts";
import { lineWidth, type Report } from "../report.ts";
import { formatTable } from "../table.ts";

/** The longest start of an answer on one line. */
const maxExcerpt = 60;

/** Whether an endpoint receives events, and since when it fails. */
export function formatState({ enabled, disabledReason, failingSince }: WebhookEndpoint, now: Date): string {
  if (!enabled) return `disabled (${disabledReason})`;
  if (failingSince === null) return "enabled";
  return `failing for ${formatDuration(now.getTime() - Date.parse(failingSince))}`;
}

/** An endpoint for operators. */
export function formatEndpoint(endpoint: WebhookEndpoint, now: Date): string {
  const facts = {
    endpoint: endpoint.endpointId,
    url: endpoint.url,
    events: endpoint.eventTypes.join(", "),
    about: endpoint.description,
    state: formatState(endpoint, now),
    disabled: endpoint.disabledAt,
    rotating: endpoint.previousSecretUntil && `until ${endpoint.previousSecretUntil}`,
    created: endpoint.createdAt,
  };
  const lines = Object.entries(facts).filter(([, value]) => value !== null);
  return lines.map(([name, value]) => `${name.padEnd(10)}${value}`).join("\n");
}

/** Deliveries, one a line; with their endpoints where those differ. */
export function formatDeliveries(
  deliveries: readonly WebhookDelivery[],
  { withEndpoint = false } = {},
): string {
  const endpoint = { title: "ENDPOINT", value: ({ endpointId }: WebhookDelivery) => endpointId };
  return formatTable(
    deliveries,
    [
      { title: "DELIVERY", value: ({ deliveryId }) => deliveryId },
      ...(withEndpoint ? [endpoint] : []),
      { title: "EVENT", value: formatEvent },
      { title: "STATE", value: ({ status }) => status },
      { title: "TRIES", value: ({ attempts }) => String(attempts), right: true },
      { title: "CREATED", value: ({ createdAt }) => createdAt },
      { title: "NEXT", value: ({ dueAt }) => dueAt ?? "", optional: true },
    ],
    lineWidth(),
  );
}

/** A record's change has a number. */
function formatEvent({ type, sequence }: WebhookDelivery): string {
  return sequence === null ? type : `${type} ${sequence}`;
}

/** What a command that makes a delivery due reports. */
export function dueReport(delivery: WebhookDelivery): Report {
  const { deliveryId, endpointId, status } = delivery;
  const document = delivery;
  if (status === "pending") return { document, text: `The delivery ${deliveryId} is due.` };
  return { document, text: "", problem: `${endpointId} is disabled: enable it first.` };
}

/** The attempts of a delivery, one a line. */
export function formatAttempts({ history }: WebhookDeliveryDetails): string {
  if (history.length === 0) return "There is no attempt yet.";
  return formatTable(
    history,
    [
      { title: "WHEN", value: ({ startedAt }) => startedAt },
      { title: "MS", value: ({ milliseconds }) => String(milliseconds), right: true },
      { title: "ANSWER", value: ({ status, reason }) => String(status ?? reason) },
      { title: "BEGINS", value: ({ excerpt }) => printable(excerpt ?? "") },
    ],
    lineWidth(),
  );
}

/** The text without what a terminal would obey: it comes from somebody else's server. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, " ").slice(0, maxExcerpt);
}
