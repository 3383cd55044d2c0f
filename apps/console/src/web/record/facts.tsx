import { useSession } from "../api/session.ts";
import type { ShownRecord } from "../api/shapes.ts";
import { useNow } from "../lib/use-now.ts";
import { expiryOf, stateOf } from "../lib/why.ts";
import { shared } from "../lib/words.ts";
import { Id } from "../ui/id.tsx";
import { Card, Fact, Section } from "../ui/section.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { Time } from "../ui/time.tsx";

const words = {
  links: { title: "Look further", runbook: "Runbook", trace: "Trace" },
} as const;

const { facts: say } = shared.record;
const { links } = words;

const toRecord = (kycRecordId: string) => ({ to: "/records/$kycRecordId", params: { kycRecordId } }) as const;

/** What is known about a record, without the submission's data. */
export function Facts({ record }: { record: ShownRecord }) {
  const { kycRecordId, platformId, externalUserId, resolution, subStatus, cardAccountId, dueAt } = record;
  const now = useNow();
  return (
    <Section title={say.title} aside={<Links record={record} />}>
      <Card>
        <dl>
          <Fact name={say.record}>
            <Id id={kycRecordId} />
          </Fact>
          <Fact name={say.user}>
            <Id
              id={externalUserId}
              to={{ to: "/users/$platformId/$externalUserId", params: { platformId, externalUserId } }}
            />
          </Fact>
          <Fact name={say.platform}>
            <Id id={platformId} to={{ to: "/queue", search: { tab: "open", platform: platformId } }} />
          </Fact>
          <Fact name={say.resolution}>{say.resolutionOf[resolution]}</Fact>
          {subStatus !== null && (
            <Fact name={say.status}>
              <span className="mono">{subStatus}</span>
            </Fact>
          )}
          {cardAccountId !== null && (
            <Fact name={say.cardAccount}>
              <Id id={cardAccountId} />
            </Fact>
          )}
          {record.documentExpiry !== null && (
            <Fact name={say.document}>
              <StateMark {...expiryOf(record.documentExpiry)} />
            </Fact>
          )}
          {record.renews !== null && (
            <Fact name={say.renews}>
              <Id id={record.renews} to={toRecord(record.renews)} />
            </Fact>
          )}
          {record.renewal && (
            <Fact name={say.renewal}>
              <Id id={record.renewal.kycRecordId} to={toRecord(record.renewal.kycRecordId)} />
              <StateMark {...stateOf({ ...record.renewal, needsAttentionSince: null })} />
            </Fact>
          )}
          <Fact name={say.created}>
            <Time at={record.createdAt} copy />
          </Fact>
          {record.needsAttentionSince !== null && (
            <Fact name={say.attention}>
              <Time at={record.needsAttentionSince} copy />
            </Fact>
          )}
          <Fact name={say.attempt}>
            <span className="tabular-nums">{record.attempt}</span>
          </Fact>
          <Fact name={say.due}>
            {dueAt === null ? say.dueNever : Date.parse(dueAt) <= now ? say.dueNow : <Time at={dueAt} />}
          </Fact>
          {record.leaseUntil !== null && Date.parse(record.leaseUntil) > now && (
            <Fact name={say.lease}>
              <Time at={record.leaseUntil} />
            </Fact>
          )}
          {record.notFound > 0 && (
            <Fact name={say.notFound}>
              <span className="tabular-nums">{record.notFound}</span>
            </Fact>
          )}
          {record.providerSteps.map(({ name, result }) => (
            <Fact key={name} name={`${say.steps}: ${name}`}>
              {Object.values(result).map((id) => (
                <Id key={id} id={id} />
              ))}
            </Fact>
          ))}
        </dl>
      </Card>
    </Section>
  );
}

/** Where to look further, as far as the console's server knows the addresses. */
function Links({ record: { traceId } }: { record: ShownRecord }) {
  const session = useSession();
  const { docsUrl, traceUrl } = session.state === "signed-in" ? session.session : {};
  const all = [
    docsUrl && { name: links.runbook, href: `${docsUrl}/runbook#cardbridgerecordsneedattention` },
    traceUrl && traceId && { name: links.trace, href: traceUrl.replace("{traceId}", traceId) },
  ].filter((link) => !!link);
  return (
    <span className="flex gap-3 text-13">
      {all.map(({ name, href }) => (
        <a
          key={name}
          href={href}
          target="_blank"
          rel="noreferrer"
          className="rounded text-accent underline underline-offset-3"
        >
          {name}
        </a>
      ))}
    </span>
  );
}
