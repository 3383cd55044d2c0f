import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import { shared } from "../lib/words.ts";
import { Copy } from "../ui/copy.tsx";
import { Id } from "../ui/id.tsx";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Card, Fact } from "../ui/section.tsx";
import { Shape } from "../ui/state-mark.tsx";
import { Bar, Empty, ErrorState } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";

const words = {
  title: "Request",
  lead: "What the caller of this request received.",
  when: "When",
  operation: "Operation",
  subject: "About",
  outcome: "Outcome",
  done: "done",
  replayed: "the earlier result again",
  actor: "Caller",
  platform: "Platform",
  empty: "Nothing is kept about this request",
  emptyText:
    "Only calls that change something or fail are kept, on the platforms that you may see. Check the id; it begins with req_.",
} as const;

/** What the caller of a request received. */
export function RequestPage() {
  usePageTitle(words.title);
  const { requestId } = useParams({ from: "/requests/$requestId" });
  const { data, error, refetch } = useQuery(api.audit.request.queryOptions({ requestId }));
  return (
    <Page>
      <h1 className="text-20 font-semibold tracking-tight">{words.title}</h1>
      <p className="flex flex-wrap items-center gap-1 text-muted">
        <span className="mono break-all text-text">{requestId}</span>
        <Copy value={requestId} label={shared.copy.id(requestId)} />
      </p>
      <p className="mb-5 text-muted">{words.lead}</p>
      <div className="flex max-w-3xl flex-col gap-4">
        {error ? (
          <Card>
            <ErrorState error={error} onRetry={() => void refetch()} />
          </Card>
        ) : !data ? (
          <Bar className="h-56 w-full" />
        ) : data.entries.length === 0 ? (
          <Card>
            <Empty title={words.empty} text={words.emptyText} />
          </Card>
        ) : (
          data.entries.map((entry) => (
            <Card key={entry.id}>
              <dl>
                <Fact name={words.outcome}>
                  <span className="flex items-center gap-2 font-medium">
                    <Shape
                      meaning={entry.outcome === "done" || entry.outcome === "replayed" ? "good" : "bad"}
                    />
                    {entry.outcome === "done" ? (
                      words.done
                    ) : entry.outcome === "replayed" ? (
                      words.replayed
                    ) : (
                      <span className="mono">{entry.outcome}</span>
                    )}
                  </span>
                </Fact>
                <Fact name={words.operation}>
                  <span className="mono">{entry.operation}</span>
                </Fact>
                <Fact name={words.when}>
                  <Time at={entry.at} copy />
                </Fact>
                <Fact name={words.subject}>
                  {entry.subject === null ? shared.none : <Subject entry={entry} />}
                </Fact>
                <Fact name={words.platform}>
                  <Id
                    id={entry.platformId}
                    to={{ to: "/queue", search: { tab: "open", platform: entry.platformId } }}
                  />
                </Fact>
                <Fact name={words.actor}>
                  <Id id={entry.actor} />
                </Fact>
              </dl>
            </Card>
          ))
        )}
      </div>
    </Page>
  );
}

/** The id of what a call was about, which leads there if the console has a view of it. */
function Subject({
  entry: { subject, platformId },
}: {
  entry: { subject: string | null; platformId: string };
}) {
  if (subject?.startsWith("kyc_"))
    return <Id id={subject} to={{ to: "/records/$kycRecordId", params: { kycRecordId: subject } }} />;
  if (subject?.startsWith("usr_"))
    return (
      <Id
        id={subject}
        to={{ to: "/users/$platformId/$externalUserId", params: { platformId, externalUserId: subject } }}
      />
    );
  return <Id id={subject ?? ""} />;
}
