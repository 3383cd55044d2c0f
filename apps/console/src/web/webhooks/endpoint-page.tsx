import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api, background, client } from "../api/client.ts";
import { useMe } from "../lib/use-me.ts";
import { ActError } from "../ui/act-error.tsx";
import { Back } from "../ui/back.tsx";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Id } from "../ui/id.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Bar, Missing } from "../ui/states.tsx";
import { Deliveries } from "./deliveries.tsx";
import { type Endpoint, eventWord, nameOf } from "./describe.ts";
import { EndpointActs, type Open } from "./endpoint-acts.tsx";
import { EndpointState } from "./endpoint-table.tsx";
import { subscribedTypes } from "./filter.ts";
import { words } from "./words.ts";

const { endpoints: say } = words;
const ofRecords = subscribedTypes.filter((type) => type.startsWith("kyc."));

/** One endpoint: whether it receives, what to do with it, and its deliveries. */
export function EndpointPage() {
  const reference = useParams({ from: "/webhooks/$platformId/$endpointId" });
  const endpoint = useQuery(api.webhooks.get.queryOptions(reference));
  const { data, error } = endpoint;
  usePageTitle(data ? nameOf(data) : words.endpoint);
  return (
    <Page>
      <Back name={words.title} link={{ to: "/webhooks", search: {} }} />
      {data ? (
        <>
          <Summary endpoint={data} platformId={reference.platformId} />
          <Deliveries reference={reference} enabled={data.enabled} />
        </>
      ) : error ? (
        <Missing
          view={words.endpoint}
          title={say.notFound}
          text={say.notFoundText}
          way={{ name: say.all, link: { to: "/webhooks", search: {} } }}
          error={error}
          onRetry={() => void endpoint.refetch()}
        />
      ) : (
        <Bar className="h-40 w-full" />
      )}
    </Page>
  );
}

/** What an endpoint is, whether it receives, and the acts on it. */
function Summary({ endpoint, platformId }: { endpoint: Endpoint; platformId: string }) {
  const { endpointId, url, description, eventTypes } = endpoint;
  const { platformName } = useMe();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [open, setOpen] = useState<Open>();
  const input = { platformIds: [platformId] };
  const health = useQuery({
    ...api.webhooks.endpointHealth.queryOptions(input, background),
    refetchInterval: 10_000,
  });
  const found = health.data?.endpoints.find((row) => row.endpointId === endpointId);
  const changed = () => void queries.invalidateQueries();
  const isOther = found !== undefined && found.enabled !== endpoint.enabled;
  useEffect(() => {
    // An answer disabled it meanwhile.
    if (isOther) void queries.invalidateQueries();
  }, [isOther, queries]);
  const isUnaware =
    eventTypes.includes("kyc.updated") && !ofRecords.every((type) => eventTypes.includes(type));
  return (
    <div className="mb-6">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="min-w-0 text-20 font-semibold tracking-tight break-words">{nameOf(endpoint)}</h1>
        {found && <EndpointState endpoint={found} />}
      </div>
      <p className="mt-1 flex flex-wrap items-center gap-x-2 text-muted">
        <Link
          to="/webhooks"
          search={{ platform: platformId }}
          className="rounded text-accent hover:underline"
        >
          {platformName(platformId)}
        </Link>
        {description !== null && <span className="mono break-all">{url}</span>}
        <Id id={endpointId} />
      </p>
      <p className="text-13 text-muted">{eventTypes.map(eventWord).join(", ")}</p>
      {isUnaware && (
        <p className="mt-1 flex items-center gap-1.5 text-13 text-attention">
          <Icon name="warning" /> {say.unaware}
        </p>
      )}
      <Acts endpoint={endpoint} platformId={platformId} onOpen={setOpen} onChanged={changed} />
      {open && (
        <EndpointActs
          open={open}
          platformId={platformId}
          onOpen={setOpen}
          onDone={() => {
            if (open.act === "delete") void navigate({ to: "/webhooks", search: {} });
            else changed();
          }}
        />
      )}
    </div>
  );
}

interface ActsProps {
  endpoint: Endpoint;
  platformId: string;
  onOpen(open: Open): void;
  onChanged(): void;
}

function Acts({ endpoint, platformId, onOpen, onChanged }: ActsProps) {
  const { endpointId, enabled } = endpoint;
  const reference = { platformId, endpointId };
  const test = useMutation({
    mutationFn: () => client.webhooks.test.mutate(reference),
    onSuccess: onChanged,
  });
  const enable = useMutation({
    mutationFn: () => client.webhooks.update.mutate({ ...reference, enabled: true }),
    onSuccess: onChanged,
  });
  const opens = (act: "edit" | "rotate" | "disable" | "delete") => () => onOpen({ act, endpoint });
  return (
    <>
      <div className="mt-1 -ml-3 flex flex-wrap items-center">
        {enabled ? (
          <Button kind="quiet" disabled={test.isPending} onClick={() => test.mutate()}>
            {say.test}
          </Button>
        ) : (
          <Button kind="primary" className="mx-3" disabled={enable.isPending} onClick={() => enable.mutate()}>
            {say.enable}
          </Button>
        )}
        <Button kind="quiet" onClick={opens("edit")}>
          {say.edit}
        </Button>
        <Button kind="quiet" onClick={opens("rotate")}>
          {say.rotate}
        </Button>
        {enabled && (
          <Button kind="quiet" onClick={opens("disable")}>
            {say.disableOpen}
          </Button>
        )}
        <Button kind="quiet" className="text-bad" onClick={opens("delete")}>
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
    </>
  );
}
