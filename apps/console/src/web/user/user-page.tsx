import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { api } from "../api/client.ts";
import type { UserFacts } from "../api/shapes.ts";
import { shortId } from "../lib/ids.ts";
import { useMe } from "../lib/use-me.ts";
import { expiryOf, stateOf } from "../lib/why.ts";
import { shared } from "../lib/words.ts";
import { OpenProposals } from "../proposals/open-proposals.tsx";
import { useOpenProposals } from "../proposals/use-proposals.ts";
import { Back } from "../ui/back.tsx";
import { Copy } from "../ui/copy.tsx";
import { Id } from "../ui/id.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Card, Fact, Section } from "../ui/section.tsx";
import { meaningText, StateMark } from "../ui/state-mark.tsx";
import { Bar, Empty, Missing } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { Acts } from "./acts/acts.tsx";
import { Holds } from "./acts/holds.tsx";
import { Cards } from "./cards.tsx";
import { words } from "./words.ts";

/** A user of one platform: verifications and cards, without personal data. */
export function UserPage() {
  usePageTitle(words.user);
  const reference = useParams({ from: "/users/$platformId/$externalUserId" });
  const { platformId, externalUserId } = reference;
  const user = useQuery(api.users.show.queryOptions(reference));
  const { may, platformName } = useMe();
  const proposals = useOpenProposals({ externalUserId, platformIds: [platformId] });
  const platform = platformName(platformId);
  const isErased = user.data?.erasure === "erased";
  return (
    <Page>
      <Back name={words.title} link={{ to: "/users", search: {} }} />
      {user.error ? (
        <Missing
          view={words.user}
          title={words.notFoundTitle}
          text={words.notFoundText}
          way={{ name: words.toUsers, link: { to: "/users", search: {} } }}
          error={user.error}
          onRetry={() => void user.refetch()}
        />
      ) : (
        <>
          <div className="mb-5">
            <h1 className="flex flex-wrap items-center gap-x-2 text-20 font-semibold tracking-tight">
              <span className="mono" title={externalUserId}>
                {shortId(externalUserId)}
              </span>
              <Copy value={externalUserId} label={shared.copy.id(shortId(externalUserId))} />
            </h1>
            <p className="text-muted">{platform}</p>
          </div>
          {isErased && (
            <Notice meaning="plain" className="mb-4">
              <p className="font-medium">{words.gone}</p>
              <p>{words.goneText}</p>
            </Notice>
          )}
          <OpenProposals proposals={proposals} />
          <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <div className="flex flex-col gap-6">
              <Records user={user.data} />
              {!isErased && <Cards reference={reference} />}
            </div>
            <div className="flex min-w-0 flex-col gap-6">
              <Section title={words.facts}>
                <Card>
                  {user.data ? (
                    <dl>
                      <Fact name={shared.record.facts.platform}>
                        <Id
                          id={platformId}
                          to={{ to: "/queue", search: { tab: "open", platform: platformId } }}
                        />
                      </Fact>
                      <Fact name={words.columns.since}>
                        <Time at={user.data.createdAt} copy />
                      </Fact>
                      <Fact name={words.columns.state}>
                        {shared.users.erasure[user.data.erasure]}
                        {user.data.held && <span className="text-attention">· {shared.users.held}</span>}
                      </Fact>
                    </dl>
                  ) : (
                    <div className="p-4">
                      <Bar className="h-19 w-full" />
                    </div>
                  )}
                </Card>
              </Section>
              {user.data && may("ops.compliance") && <Holds user={user.data} platform={platform} />}
              {user.data && <Acts user={user.data} platform={platform} />}
            </div>
          </div>
        </>
      )}
    </Page>
  );
}

/** A user's verifications, newest first. */
function Records({ user }: { user: UserFacts | undefined }) {
  const records = user?.records;
  return (
    <Section title={words.records}>
      <Card>
        {!records ? (
          <div className="p-4">
            <Bar className="h-9 w-full" />
          </div>
        ) : records.length === 0 ? (
          <Empty title={words.recordsEmpty} text={words.recordsEmptyText} />
        ) : (
          <ul>
            {records.map((record) => (
              <li
                key={record.kycRecordId}
                className="relative grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 border-t border-line px-4 py-2 sm:grid-cols-[144px_minmax(0,1fr)_auto] sm:py-1.5 first:border-t-0 hover:bg-sunken"
              >
                <span>
                  <StateMark {...stateOf(record)} />
                </span>
                <Link
                  to="/records/$kycRecordId"
                  params={{ kycRecordId: record.kycRecordId }}
                  title={record.kycRecordId}
                  className="mono truncate rounded text-accent max-sm:order-1 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
                >
                  {shortId(record.kycRecordId)}
                </Link>
                <span className="text-13 text-muted">
                  <Time at={record.createdAt} />
                </span>
                <Renewable record={record} isStanding={record.kycRecordId === user?.standingApproval} />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </Section>
  );
}

interface RenewableProps {
  record: UserFacts["records"][number];
  /** Whether it is the approval that counts. */
  isStanding: boolean;
}

/** Whether an approval counts, how its document is, and which approval a record renews. */
function Renewable({ record: { documentExpiry, renews }, isStanding }: RenewableProps) {
  const document = documentExpiry === null ? undefined : expiryOf(documentExpiry);
  if (!isStanding && !document && renews === null) return null;
  return (
    <p className="flex flex-wrap gap-x-3 text-13 text-muted max-sm:order-2 max-sm:col-span-2 sm:col-span-2 sm:col-start-2">
      {isStanding && <span className="font-medium text-text">{words.standing}</span>}
      {document && <span className={meaningText(document.meaning)}>{words.document(document.word)}</span>}
      {renews !== null && <span>{words.renews(shortId(renews))}</span>}
    </p>
  );
}
