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
import { buttonClass } from "../ui/button.tsx";
import { Copy } from "../ui/copy.tsx";
import { Id } from "../ui/id.tsx";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Card, Section } from "../ui/section.tsx";
import { meaningText, StateMark } from "../ui/state-mark.tsx";
import { Bar, Empty, Missing } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { Acts } from "./acts/acts.tsx";
import { Holds } from "./acts/holds.tsx";
import { Cards } from "./cards.tsx";
import { words } from "./words.ts";

/** A user of one platform: who it is, where they stand, verifications and cards. */
export function UserPage() {
  usePageTitle(words.user);
  const reference = useParams({ from: "/users/$platformId/$externalUserId" });
  const { platformId, externalUserId } = reference;
  // It has the first letters of an e-mail, which nothing keeps once nothing shows them.
  const { data: user, error, refetch } = useQuery(api.users.show.queryOptions(reference, { gcTime: 0 }));
  const { may, platformName } = useMe();
  const proposals = useOpenProposals({ externalUserId, platformIds: [platformId] });
  const platform = platformName(platformId);
  if (error) {
    return (
      <Page>
        <Missing
          view={words.user}
          title={words.notFoundTitle}
          text={words.notFoundText}
          way={{ name: words.toQueue, link: { to: "/queue", search: {} } }}
          error={error}
          onRetry={() => void refetch()}
        />
      </Page>
    );
  }
  return (
    <Page>
      {user ? <Head user={user} platform={platform} /> : <Bar className="mb-6 h-40 w-full" />}
      <OpenProposals proposals={proposals.filter(({ kind }) => kind !== "approve")} />
      <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex flex-col gap-6">
          <Records user={user} />
          {user?.erasure !== "erased" && <Cards reference={reference} />}
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          {user && may("ops.compliance") && <Holds user={user} platform={platform} />}
          {user && <Acts user={user} platform={platform} />}
        </div>
      </div>
    </Page>
  );
}

/** Enough to be sure of the right person, and what the latest verification needs. */
function Head({ user, platform }: { user: UserFacts; platform: string }) {
  const { externalUserId, maskedEmail, erasure, held, createdAt, latest } = user;
  return (
    <header className="mb-6 rounded border border-line bg-surface px-4 py-4 md:px-5">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
        <span className="min-w-0 truncate font-medium text-text">{platform}</span>
        <Id id={externalUserId} />
        <span>
          {words.since} <Time at={createdAt} />
        </span>
        {erasure !== "none" && <StateMark word={shared.users.erasure[erasure]} meaning="attention" />}
        {held && <StateMark word={shared.users.held} meaning="attention" />}
      </p>
      <h1 className="mt-2 text-20 font-semibold tracking-tight wrap-anywhere">
        {maskedEmail ?? (erasure === "erased" ? words.gone : words.noEmail)}
      </h1>
      {erasure === "erased" && <p className="max-w-[72ch] text-muted">{words.goneText}</p>}
      {latest && (
        <div className="mt-3 flex flex-col items-start gap-3">
          <p className="max-w-[72ch] text-16 text-pretty">{latest.next.operator}</p>
          <p className="flex max-w-[72ch] items-start gap-1 text-muted">
            <span>
              {words.tell}: “{latest.next.person}”
            </span>
            <Copy value={latest.next.person} label={shared.copy.text} />
          </p>
          <Link
            to="/records/$kycRecordId"
            params={{ kycRecordId: latest.kycRecordId }}
            className={buttonClass("primary")}
          >
            {words.open}
          </Link>
        </div>
      )}
    </header>
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
