import type { RouterOutputs } from "@cardbridge/trpc-client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { api, background, client } from "../api/client.ts";
import { useMe } from "../lib/use-me.ts";
import { useNow } from "../lib/use-now.ts";
import { shared } from "../lib/words.ts";
import { ActError } from "../ui/act-error.tsx";
import { Back } from "../ui/back.tsx";
import { Button } from "../ui/button.tsx";
import { Id } from "../ui/id.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Card, Fact, Section } from "../ui/section.tsx";
import { meaningText, Shape, StateMark } from "../ui/state-mark.tsx";
import { Bar, Empty, Missing } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { answerOf, eventWord, nameOf, stateOfDelivery } from "./describe.ts";
import { words } from "./words.ts";

const { delivery: say } = words;

type Delivery = RouterOutputs["webhooks"]["delivery"];

/** One delivery: what was sent, what was answered, and when it is tried again. */
export function DeliveryPage() {
  usePageTitle(say.title);
  const reference = useParams({ from: "/webhooks/$platformId/$endpointId/$deliveryId" });
  const { platformId, endpointId } = reference;
  const params = { platformId, endpointId };
  const delivery = useQuery(api.webhooks.delivery.queryOptions(reference));
  useQuery({
    ...api.webhooks.delivery.queryOptions(reference, background),
    // While an attempt is due, its answer appears without a click.
    refetchInterval: ({ state }) => (state.data?.status === "pending" ? 3_000 : false),
  });
  const endpoint = useQuery(api.webhooks.get.queryOptions(params)).data;
  const { data, error, refetch } = delivery;
  const name = endpoint ? nameOf(endpoint) : words.endpoint;
  const way = { name, link: { to: "/webhooks/$platformId/$endpointId", params, search: {} } as const };
  return (
    <Page>
      <Back {...way} />
      {data ? (
        <>
          <DeliveryHead
            delivery={data}
            platformId={platformId}
            enabled={endpoint?.enabled !== false}
            onSent={() => void refetch()}
          />
          <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
            <DeliveryFacts delivery={data} platformId={platformId} />
            <Attempts delivery={data} />
          </div>
        </>
      ) : error ? (
        <Missing
          view={say.title}
          title={say.notFound}
          text={say.notFoundText}
          way={way}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <Bar className="h-76 w-full" />
      )}
    </Page>
  );
}

interface HeadProps {
  delivery: Delivery;
  platformId: string;
  /** Whether its endpoint is. */
  enabled: boolean;
  onSent(): void;
}

/** The state of a delivery, and sending it now. */
function DeliveryHead({ delivery, platformId, enabled, onSent }: HeadProps) {
  const { endpointId, deliveryId, status, dueAt } = delivery;
  const now = useNow();
  const again = useMutation({
    mutationFn: () => client.webhooks.redeliver.mutate({ platformId, endpointId, deliveryId }),
    onSuccess: onSent,
  });
  const isDue = status === "pending" && dueAt !== null && Date.parse(dueAt) <= now;
  const why = !enabled ? words.send.off : isDue ? say.due : undefined;
  const isSent = again.data?.status === "pending";
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="text-20 font-semibold tracking-tight">{say.title}</h1>
        <StateMark {...stateOfDelivery(status)} />
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 sm:ml-auto">
          {why && <span className="text-13 text-muted">{why}</span>}
          <Button
            kind="primary"
            disabled={again.isPending || why !== undefined}
            onClick={() => again.mutate()}
          >
            {say.send}
          </Button>
        </span>
      </div>
      <div role="status" className="mb-4 empty:mb-0">
        {again.data && (
          <Notice meaning={isSent ? "good" : "attention"}>{isSent ? say.sent : say.unchanged}</Notice>
        )}
        <ActError error={again.error} />
      </div>
    </>
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
            {shown.map((attempt) => (
              <Attempt key={attempt.attempt} attempt={attempt} />
            ))}
          </ol>
        )}
      </Card>
    </Section>
  );
}

function Attempt({ attempt: one }: { attempt: Delivery["history"][number] }) {
  const { attempt, startedAt, milliseconds, status, reason, excerpt } = one;
  const meaning = status !== null && status >= 200 && status < 300 ? "good" : "bad";
  return (
    <li className="border-t border-line px-4 py-2 first:border-t-0">
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
          <summary className="w-fit cursor-pointer rounded text-13 text-accent">{say.excerpt}</summary>
          {excerpt ? <Body text={excerpt} /> : <p className="mt-1 text-13 text-muted">{say.noBody}</p>}
        </details>
      )}
    </li>
  );
}

const Body = ({ text }: { text: string }) => (
  <pre className="mono mt-1 rounded bg-sunken p-3 break-all whitespace-pre-wrap">{text}</pre>
);

/** What is sent, and when. The body has ids and states, and no personal data. */
function DeliveryFacts({ delivery, platformId }: { delivery: Delivery; platformId: string }) {
  const { platformName } = useMe();
  const { webhookId, type, kycRecordId, createdAt, deliveredAt, dueAt, payload } = delivery;
  return (
    <Section title={say.request}>
      <Card>
        <dl>
          <Fact name={words.list.type}>{eventWord(type)}</Fact>
          {kycRecordId !== null && (
            <Fact name={words.record}>
              <Id id={kycRecordId} to={{ to: "/records/$kycRecordId", params: { kycRecordId } }} />
            </Fact>
          )}
          <Fact name={words.platform}>{platformName(platformId)}</Fact>
          <Fact name={say.created}>
            <Time at={createdAt} />
          </Fact>
          {deliveredAt === null ? (
            <Fact name={say.next}>{dueAt === null ? say.noNext : <Time at={dueAt} />}</Fact>
          ) : (
            <Fact name={say.delivered}>
              <Time at={deliveredAt} />
            </Fact>
          )}
          <Fact name={say.event}>
            <Id id={webhookId} />
          </Fact>
        </dl>
        <div className="border-t border-line px-4 py-2">
          <p className="text-13 text-muted">{say.body}</p>
          <Body text={payload} />
        </div>
      </Card>
    </Section>
  );
}
