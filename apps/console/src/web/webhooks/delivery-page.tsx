import type { RouterOutputs } from "@cardbridge/trpc-client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { api, client } from "../api/client.ts";
import { shownError } from "../api/problem.ts";
import { number } from "../lib/numbers.ts";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { ActError } from "../ui/act-error.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Id } from "../ui/id.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Card, Fact, Section } from "../ui/section.tsx";
import { meaningText, Shape, StateMark } from "../ui/state-mark.tsx";
import { Bar, Empty, ErrorState } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { answerOf, eventWord, stateOfDelivery } from "./describe.ts";
import { words } from "./words.ts";

const { delivery: say } = words;

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
        {words.title}
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

/** The attempts, newest first, each with the start of the answer. */
function Attempts({ delivery: { history, attempts } }: { delivery: Delivery }) {
  const shown = [...history].reverse();
  return (
    <Section
      title={say.attempts}
      aside={attempts > shown.length && <span className="text-13 text-muted">{say.shown(shown.length)}</span>}
    >
      <Card>
        {shown.length === 0 ? (
          <Empty title={say.none} text={say.noneText} />
        ) : (
          <ol>
            {shown.map(({ attempt, startedAt, milliseconds, status, reason, excerpt }) => {
              const meaning = status !== null && status >= 200 && status < 300 ? "good" : "bad";
              return (
                <li key={attempt} className="border-t border-line px-4 py-2 first:border-t-0">
                  <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                    <span className={`flex items-center gap-2 font-medium ${meaningText(meaning)}`}>
                      <Shape meaning={meaning} />
                      {answerOf({ status, reason })}
                    </span>
                    <span className="text-13 text-muted tabular-nums">
                      {say.took(shared.units.milliseconds(milliseconds))}
                    </span>
                    <span className="ml-auto text-13 text-muted">
                      {say.attempt(attempt)} · <Time at={startedAt} />
                    </span>
                  </div>
                  {status !== null && (
                    <details className="mt-1">
                      <summary className="w-fit cursor-pointer rounded text-13 text-accent">
                        {say.excerpt}
                      </summary>
                      {excerpt ? (
                        <pre className="mono mt-1 rounded bg-sunken p-3 break-all whitespace-pre-wrap">
                          {excerpt}
                        </pre>
                      ) : (
                        <p className="mt-1 text-13 text-muted">{say.noBody}</p>
                      )}
                    </details>
                  )}
                </li>
              );
            })}
          </ol>
        )}
      </Card>
    </Section>
  );
}

type Delivery = RouterOutputs["webhooks"]["delivery"];

/** What was sent to whom, and when it is sent again. The body holds ids and statuses of the record. */
function DeliveryFacts({ delivery, platformId }: { delivery: Delivery; platformId: string }) {
  const { platformName } = useMe();
  const { webhookId, type, kycRecordId, sequence, endpointId, createdAt, deliveredAt, dueAt, status } =
    delivery;
  return (
    <Section title={words.delivery.request}>
      <Card>
        <dl>
          <Fact name={words.delivery.next}>
            {dueAt === null || status !== "pending" ? words.delivery.noNext : <Time at={dueAt} />}
          </Fact>
          <Fact name={words.type}>
            {eventWord(type)} <span className="mono text-muted">{type}</span>
          </Fact>
          <Fact name={words.delivery.event}>
            <span title={words.delivery.eventNote}>
              <Id id={webhookId} />
            </span>
          </Fact>
          {kycRecordId !== null && (
            <Fact name={words.record}>
              <Id id={kycRecordId} to={{ to: "/records/$kycRecordId", params: { kycRecordId } }} />
            </Fact>
          )}
          {sequence !== null && <Fact name={words.delivery.sequence}>{number(sequence)}</Fact>}
          <Fact name={words.endpoint}>
            <Id id={endpointId} to={{ to: "/webhooks/endpoints", search: { platform: platformId } }} />
          </Fact>
          <Fact name={words.platform}>{platformName(platformId)}</Fact>
          <Fact name={words.delivery.created}>
            <Time at={createdAt} copy />
          </Fact>
          <Fact name={words.delivery.delivered}>
            {deliveredAt === null ? shared.none : <Time at={deliveredAt} copy />}
          </Fact>
        </dl>
      </Card>
    </Section>
  );
}
