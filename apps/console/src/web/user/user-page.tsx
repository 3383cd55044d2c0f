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
import { Notice } from "../ui/notice.tsx";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Personal } from "../ui/personal.tsx";
import { Card, Section } from "../ui/section.tsx";
import { meaningText, StateMark } from "../ui/state-mark.tsx";
import { Bar, Empty, Missing } from "../ui/states.tsx";
import { type Column, Table } from "../ui/table.tsx";
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
  const {
    data: user,
    error,
    refetch,
  } = useQuery(
    api.users.show.queryOptions(reference, {
      // It has the first letters of an e-mail, which nothing keeps once nothing shows them.
      gcTime: 0,
      // What is typed in a dialog stays while the view waits behind the sign-in.
      placeholderData: (last) => (last?.externalUserId === externalUserId ? last : undefined),
    }),
  );
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
      {user ? (
        <Head user={user} platform={platform} isProposed={proposals.length > 0} />
      ) : (
        <Bar className="mb-6 h-56 w-full" />
      )}
      {user?.held && proposals.some(({ kind }) => kind === "erase") && (
        <Notice meaning="attention" className="mb-4">
          {words.heldBack}
        </Notice>
      )}
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

interface HeadProps {
  user: UserFacts;
  platform: string;
  /** Whether a proposal waits below, whose decision is then the primary action. */
  isProposed: boolean;
}

/** Enough to be sure of the right person, and what the latest verification needs. */
function Head({ user, platform, isProposed }: HeadProps) {
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
        <Personal>{erasure === "erased" ? words.gone : (maskedEmail ?? words.noEmail)}</Personal>
      </h1>
      {erasure === "erased" && <p className="max-w-[72ch] text-muted">{words.goneText}</p>}
      {latest && erasure !== "erased" && (
        <div className="mt-3 flex flex-col items-start gap-3">
          <p className="max-w-[72ch] text-16 text-pretty">{latest.next.operator}</p>
          <p className="max-w-[80ch] text-muted">
            {words.tell}: “{latest.next.person}” <Copy value={latest.next.person} label={shared.copy.text} />
          </p>
          <Link
            to="/records/$kycRecordId"
            params={{ kycRecordId: latest.kycRecordId }}
            className={buttonClass(isProposed ? "plain" : "primary")}
          >
            {words.open}
          </Link>
        </div>
      )}
    </header>
  );
}

type UserRecord = UserFacts["records"][number];

/** A user's verifications, newest first. */
function Records({ user }: { user: UserFacts | undefined }) {
  const columns: Column<UserRecord>[] = [
    { name: words.columns.state, cell: (record) => <StateMark {...stateOf(record)} /> },
    {
      name: words.columns.record,
      cell: ({ kycRecordId }) => (
        <Link
          to="/records/$kycRecordId"
          params={{ kycRecordId }}
          title={kycRecordId}
          className="mono inline-flex min-h-6 items-center rounded text-accent hover:underline"
        >
          {shortId(kycRecordId)}
        </Link>
      ),
    },
    {
      name: words.columns.standing,
      wide: true,
      cell: (record) => (
        <Standing record={record} isStanding={record.kycRecordId === user?.standingApproval} />
      ),
    },
    { name: words.columns.submitted, right: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
  return (
    <Section title={words.records}>
      <Card>
        {user?.records.length === 0 ? (
          <Empty title={words.recordsEmpty} text={words.recordsEmptyText} />
        ) : (
          <Table
            label={words.records}
            columns={columns}
            rows={user?.records}
            keyOf={({ kycRecordId }) => kycRecordId}
            room="compact"
          />
        )}
      </Card>
    </Section>
  );
}

/** Whether an approval counts, how its document is, and which approval a record renews. */
function Standing({ record, isStanding }: { record: UserRecord; isStanding: boolean }) {
  const { documentExpiry, renews } = record;
  const document = documentExpiry === null ? undefined : expiryOf(documentExpiry);
  return (
    <span className="flex flex-wrap gap-x-3 text-13 text-muted">
      {isStanding && <span className="font-medium text-text">{words.standing}</span>}
      {document && <span className={meaningText(document.meaning)}>{words.document(document.word)}</span>}
      {renews !== null && <span>{words.renews(shortId(renews))}</span>}
    </span>
  );
}
