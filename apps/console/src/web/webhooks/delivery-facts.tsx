import type { RouterOutputs } from "@cardbridge/trpc-client";
import { number } from "../lib/numbers.ts";
import { useMe } from "../lib/use-me.ts";
import { Id } from "../ui/id.tsx";
import { Card, Fact, Section } from "../ui/section.tsx";
import { Time } from "../ui/time.tsx";
import { words } from "../words.ts";
import { eventWord } from "./describe.ts";

const { webhooks: say } = words;
export type Delivery = RouterOutputs["webhooks"]["delivery"];

/** What was sent to whom, and when it is sent again. The body holds ids and statuses of the record. */
export function DeliveryFacts({ delivery, platformId }: { delivery: Delivery; platformId: string }) {
  const { platformName } = useMe();
  const { webhookId, type, kycRecordId, sequence, endpointId, createdAt, deliveredAt, dueAt, status } =
    delivery;
  return (
    <Section title={say.delivery.request}>
      <Card>
        <dl>
          <Fact name={say.delivery.next}>
            {dueAt === null || status !== "pending" ? say.delivery.noNext : <Time at={dueAt} />}
          </Fact>
          <Fact name={say.type}>
            {eventWord(type)} <span className="mono text-muted">{type}</span>
          </Fact>
          <Fact name={say.delivery.event}>
            <span title={say.delivery.eventNote}>
              <Id id={webhookId} />
            </span>
          </Fact>
          {kycRecordId !== null && (
            <Fact name={say.record}>
              <Id id={kycRecordId} to={{ to: "/records/$kycRecordId", params: { kycRecordId } }} />
            </Fact>
          )}
          {sequence !== null && <Fact name={say.delivery.sequence}>{number(sequence)}</Fact>}
          <Fact name={say.endpoint}>
            <Id id={endpointId} to={{ to: "/webhooks/endpoints", search: { platform: platformId } }} />
          </Fact>
          <Fact name={say.platform}>{platformName(platformId)}</Fact>
          <Fact name={say.delivery.created}>
            <Time at={createdAt} copy />
          </Fact>
          <Fact name={say.delivery.delivered}>
            {deliveredAt === null ? words.none : <Time at={deliveredAt} copy />}
          </Fact>
        </dl>
      </Card>
    </Section>
  );
}
