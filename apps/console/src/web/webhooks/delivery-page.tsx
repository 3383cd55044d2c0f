import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { api, client } from "../api/client.ts";
import { shownError } from "../api/problem.ts";
import { ActError } from "../ui/act-error.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Card } from "../ui/section.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { Bar, Empty, ErrorState } from "../ui/states.tsx";
import { words } from "../words.ts";
import { Attempts } from "./attempts.tsx";
import { DeliveryFacts } from "./delivery-facts.tsx";
import { stateOfDelivery } from "./describe.ts";

const { delivery: say } = words.webhooks;

/** One delivery: what was sent, what was answered, and when it is tried again. */
export function DeliveryPage() {
  usePageTitle(say.title);
  const reference = useParams({ from: "/webhooks/$platformId/$endpointId/$deliveryId" });
  const delivery = useQuery({
    ...api.webhooks.delivery.queryOptions(reference),
    // While an attempt is due, its answer appears without a click.
    refetchInterval: ({ state }) => (state.data?.status === "pending" ? 3_000 : false),
  });
  const { data, error } = delivery;
  const again = useMutation({
    mutationFn: () => client.webhooks.redeliver.mutate(reference),
    onSuccess: () => delivery.refetch(),
  });
  const missing = error && shownError(error).kind === "not-found";
  return (
    <Page>
      <Link
        to="/webhooks"
        search={{}}
        className="-ml-1.5 mb-3 inline-flex h-9 items-center gap-1 rounded px-1.5 text-muted hover:text-text"
      >
        <Icon name="back" />
        {words.webhooks.title}
      </Link>
      <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="text-20 font-semibold tracking-tight">{say.title}</h1>
        {data && <StateMark {...stateOfDelivery(data.status)} />}
        {data && (
          <Button
            kind="primary"
            className="sm:ml-auto"
            disabled={again.isPending || data.status === "pending"}
            onClick={() => again.mutate()}
          >
            {say.redeliver}
          </Button>
        )}
      </div>
      <div role="status" className="mb-4 empty:mb-0">
        {again.isPending ? (
          <Notice meaning="waiting">{say.redelivering}</Notice>
        ) : again.data ? (
          <Notice meaning={again.data.status === "pending" ? "good" : "attention"}>
            {again.data.status === "pending" ? say.redelivered : say.unchanged}
          </Notice>
        ) : (
          <ActError error={again.error} />
        )}
      </div>
      {error ? (
        <Card>
          {missing ? (
            <Empty title={say.notFound} text={say.notFoundText}>
              <Link to="/webhooks" search={{}} className={buttonClass("plain")}>
                {say.toList}
              </Link>
            </Empty>
          ) : (
            <ErrorState error={error} onRetry={() => void delivery.refetch()} />
          )}
        </Card>
      ) : !data ? (
        <Bar className="h-76 w-full" />
      ) : (
        <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <DeliveryFacts delivery={data} platformId={reference.platformId} />
          <Attempts delivery={data} />
        </div>
      )}
    </Page>
  );
}
