import type { RouterOutputs } from "@cardbridge/trpc-client";
import type { LinkProps } from "@tanstack/react-router";
import { linkOf, type May } from "../audit/link.ts";
import { actWords, outcomeWords } from "../lib/audited.ts";
import { shortId } from "../lib/ids.ts";
import { stateOf } from "../lib/why.ts";
import { shared } from "../lib/words.ts";
import { Time } from "../ui/time.tsx";

const words = {
  kind: {
    user: "User",
    record: "Record",
    endpoint: "Endpoint",
    delivery: "Delivery",
    platform: "Platform",
    request: "Request",
  },
  noRecord: "no verification",
  sameEmail: "has exactly this e-mail",
  disabled: "disabled",
  status: { pending: "waiting", delivered: "delivered", failed: "failed" },
} as const;

type Found = RouterOutputs["search"]["find"]["results"][number];

/** A result in words, and where it leads. */
export interface Described {
  key: string;
  kind: string;
  name: string;
  details: readonly (string | false)[];
  at?: string;
  link: LinkProps | undefined;
}

/** What was found by what was typed, with its name and its state. */
export function describeFound(found: Found, may: May, typed: string): Described {
  const { platformId, platformName } = found;
  const kind = words.kind[found.kind];
  switch (found.kind) {
    case "user": {
      const { externalUserId, latest, erasure, held, createdAt } = found;
      const state = latest ? stateOf(latest).word : words.noRecord;
      const others = [erasure !== "none" && shared.users.erasure[erasure], held && shared.users.held];
      return {
        ...{ key: externalUserId, kind, name: shortId(externalUserId), at: createdAt },
        details: [typed.includes("@") && words.sameEmail, platformName, state, ...others],
        link: linkOf(externalUserId, platformId, may),
      };
    }
    case "record":
      return {
        ...{ key: found.kycRecordId, kind, name: shortId(found.kycRecordId), at: found.createdAt },
        details: [platformName, stateOf(found).word],
        link: linkOf(found.kycRecordId, platformId, may),
      };
    case "endpoint": {
      const { endpointId, description, enabled } = found;
      return {
        ...{ key: endpointId, kind, name: description ?? shortId(endpointId) },
        details: [platformName, !enabled && words.disabled],
        link: linkOf(endpointId, platformId, may),
      };
    }
    case "delivery": {
      const { endpointId, deliveryId, type, status, createdAt } = found;
      return {
        ...{ key: deliveryId, kind, name: type, at: createdAt },
        details: [platformName, words.status[status], shortId(deliveryId)],
        link: {
          to: "/webhooks/$platformId/$endpointId/$deliveryId",
          params: { platformId, endpointId, deliveryId },
        },
      };
    }
    case "platform":
      return {
        ...{ key: platformId, kind, name: platformName, details: [shortId(platformId)] },
        link: linkOf(platformId, platformId, may),
      };
    case "request": {
      const { requestId, operation, outcome, subject, at } = found;
      return {
        ...{ key: `${requestId} ${operation} ${at}`, kind, name: actWords(operation, subject), at },
        details: [outcomeWords(outcome).text, platformName, subject !== null && shortId(subject)],
        link: linkOf(subject ?? "", platformId, may),
      };
    }
  }
}

/** A line of the results. */
export const FoundRow = ({ found: { kind, name, details, at } }: { found: Described }) => (
  <span className="grid grid-cols-[72px_minmax(0,1fr)_auto] items-baseline gap-x-3">
    <span className="text-13 text-muted">{kind}</span>
    <span className="min-w-0">
      <span className="block truncate font-medium">{name}</span>
      <span className="block truncate text-13 text-muted">{details.filter(Boolean).join(" · ")}</span>
    </span>
    <span className="text-13 text-muted">{at && <Time at={at} />}</span>
  </span>
);
