import type { RouterOutputs } from "@cardbridge/trpc-client";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { client } from "../api/client.ts";
import { ActError } from "../ui/act-error.tsx";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Id } from "../ui/id.tsx";
import { Notice } from "../ui/notice.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { Time } from "../ui/time.tsx";
import { eventWord } from "./describe.ts";
import { subscribedTypes } from "./filter.ts";
import { words } from "./words.ts";

const { endpoints: say } = words;
const ofRecords = subscribedTypes.filter((type) => type.startsWith("kyc."));
export type Endpoint = RouterOutputs["webhooks"]["list"]["endpoints"][number];

interface Props {
  endpoint: Endpoint;
  platformId: string;
  onAct(act: "edit" | "rotate" | "disable" | "delete"): void;
  onChanged(): void;
}

/** One endpoint: where it is, what it receives, whether it does, and what to do with it. */
export function EndpointItem({ endpoint, platformId, onAct, onChanged }: Props) {
  const { endpointId, url, eventTypes, description, enabled } = endpoint;
  const reference = { platformId, endpointId };
  const test = useMutation({ mutationFn: () => client.webhooks.test.mutate(reference) });
  const enable = useMutation({
    mutationFn: () => client.webhooks.update.mutate({ ...reference, enabled: true }),
    onSuccess: onChanged,
  });
  return (
    <li className="border-t border-line px-4 py-3 first:border-t-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <State endpoint={endpoint} />
        <span className="mono min-w-0 font-medium break-all">{url}</span>
        <span className="lg:ml-auto">
          <Id id={endpointId} />
        </span>
      </div>
      <p className="mt-1 text-13 text-muted">
        {eventTypes.map(eventWord).join(", ")}
        {description && ` · ${description}`}
      </p>
      {eventTypes.includes("kyc.updated") && !ofRecords.every((type) => eventTypes.includes(type)) && (
        <p className="mt-1 flex items-center gap-1.5 text-13 text-attention">
          <Icon name="warning" /> {say.unaware}
        </p>
      )}
      <div className="mt-1 -ml-3 flex flex-wrap">
        <Button kind="quiet" disabled={test.isPending || !enabled} onClick={() => test.mutate()}>
          {say.test}
        </Button>
        <Button kind="quiet" onClick={() => onAct("edit")}>
          {say.edit}
        </Button>
        <Button kind="quiet" onClick={() => onAct("rotate")}>
          {say.rotate}
        </Button>
        {enabled ? (
          <Button kind="quiet" onClick={() => onAct("disable")}>
            {say.disableOpen}
          </Button>
        ) : (
          <Button kind="quiet" disabled={enable.isPending} onClick={() => enable.mutate()}>
            {say.enable}
          </Button>
        )}
        <Button kind="quiet" className="text-bad" onClick={() => onAct("delete")}>
          {say.removeOpen}
        </Button>
      </div>
      <div role="status" className="mt-1 empty:mt-0">
        {test.isPending && <Notice meaning="waiting">{say.testing}</Notice>}
        {test.data && (
          <Notice meaning="good">
            {say.tested}{" "}
            <Link
              to="/webhooks/$platformId/$endpointId/$deliveryId"
              params={{ ...reference, deliveryId: test.data.deliveryId }}
              className="font-medium underline underline-offset-2"
            >
              {say.testedLink}
            </Link>
          </Notice>
        )}
        {enable.data && enabled && <Notice meaning="good">{say.enabled}</Notice>}
        <ActError error={test.error ?? enable.error} />
      </div>
    </li>
  );
}

function State({ endpoint: { enabled, disabledReason, disabledAt, failingSince } }: { endpoint: Endpoint }) {
  if (enabled && failingSince === null) return <StateMark meaning="good" word={say.state.on} />;
  const reasons: Readonly<Record<string, string>> = say.why;
  const at = enabled ? failingSince : disabledAt;
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <StateMark
        meaning={enabled ? "attention" : "plain"}
        word={enabled ? say.state.failing : say.state.off}
      />
      <span className="text-13 text-muted">
        {!enabled && disabledReason !== null && `${reasons[disabledReason] ?? disabledReason} · `}
        {at !== null && <Time at={at} />}
      </span>
    </span>
  );
}
