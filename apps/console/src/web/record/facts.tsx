import { Link } from "@tanstack/react-router";
import { useSession } from "../api/session.ts";
import type { ShownRecord } from "../api/shapes.ts";
import { CaseFileButton } from "../audit/case-file-button.tsx";
import { useMe } from "../lib/use-me.ts";
import { useNow } from "../lib/use-now.ts";
import { expiryOf, stateOf } from "../lib/why.ts";
import { buttonClass } from "../ui/button.tsx";
import { Id } from "../ui/id.tsx";
import { Card, Fact, Section } from "../ui/section.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { Time } from "../ui/time.tsx";

const words = {
  title: "Facts",
  cardAccount: "Card account",
  document: "Document",
  renews: "Renews",
  renewal: "Renewal",
  attention: "Needs attention since",
  due: "Next attempt",
  dueNever: "none planned",
  dueNow: "due now",
  running: "one runs now",
  steps: (name: string) => `At the provider: ${name}`,
  evidence: "Evidence",
  byCompliance: "Compliance opens what the person submitted.",
  audit: "Audit",
  runbook: "Runbook",
  trace: "Trace",
} as const;

const toRecord = (kycRecordId: string) => ({ to: "/records/$kycRecordId", params: { kycRecordId } }) as const;

/** What is known about a record beside its head, without the submission's data, and where to look further. */
export function Facts({ record }: { record: ShownRecord }) {
  const { cardAccountId, documentExpiry, renews, renewal, needsAttentionSince } = record;
  const { me, may } = useMe();
  const facts = [
    { name: words.cardAccount, value: cardAccountId && <Id id={cardAccountId} /> },
    { name: words.document, value: documentExpiry && <StateMark {...expiryOf(documentExpiry)} /> },
    { name: words.renews, value: renews && <Id id={renews} to={toRecord(renews)} /> },
    { name: words.renewal, value: renewal && <Renewal {...renewal} /> },
    { name: words.attention, value: needsAttentionSince && <Time at={needsAttentionSince} /> },
    { name: words.due, value: <Due {...record} /> },
    ...record.providerSteps.map(({ name, result }) => ({
      name: words.steps(name),
      value: Object.values(result).map((id) => <Id key={id} id={id} />),
    })),
    { name: words.evidence, value: me && !may("ops.evidence") && words.byCompliance },
  ];
  return (
    <Section title={words.title}>
      <Card>
        <dl>
          {facts.map(
            ({ name, value }) =>
              value && (
                <Fact key={name} name={name}>
                  {value}
                </Fact>
              ),
          )}
        </dl>
        <Further record={record} />
      </Card>
    </Section>
  );
}

const Renewal = ({ kycRecordId, ...renewal }: NonNullable<ShownRecord["renewal"]>) => (
  <>
    <Id id={kycRecordId} to={toRecord(kycRecordId)} />
    <StateMark {...stateOf({ ...renewal, needsAttentionSince: null })} />
  </>
);

/** When a worker attempts the record next. */
function Due({ dueAt, leaseUntil }: Pick<ShownRecord, "dueAt" | "leaseUntil">) {
  const now = useNow();
  if (leaseUntil !== null && Date.parse(leaseUntil) > now) return words.running;
  if (dueAt === null) return words.dueNever;
  return Date.parse(dueAt) <= now ? words.dueNow : <Time at={dueAt} />;
}

/** The record's audit and case file, and what the console's server knows the addresses of. */
function Further({ record: { kycRecordId, traceId } }: { record: ShownRecord }) {
  const { may } = useMe();
  const session = useSession();
  const { docsUrl, traceUrl } = session.state === "signed-in" ? session.session : {};
  const links = [
    docsUrl && { name: words.runbook, href: `${docsUrl}/runbook#cardbridgerecordsneedattention` },
    traceUrl && traceId && { name: words.trace, href: traceUrl.replace("{traceId}", traceId) },
  ].filter((link) => !!link);
  return (
    <div className="flex flex-wrap gap-2 border-t border-line px-4 py-3 empty:hidden">
      {may("ops.audit") && (
        <Link to="/audit" search={{ subject: kycRecordId }} className={buttonClass("plain")}>
          {words.audit}
        </Link>
      )}
      <CaseFileButton kycRecordId={kycRecordId} />
      {links.map(({ name, href }) => (
        <a key={name} href={href} target="_blank" rel="noreferrer" className={buttonClass("plain")}>
          {name}
        </a>
      ))}
    </div>
  );
}
