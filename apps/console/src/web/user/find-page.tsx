import type { RouterOutputs } from "@cardbridge/trpc-client";
import { useQueries } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { api } from "../api/client.ts";
import { exactTime } from "../lib/age.ts";
import { detect } from "../lib/detect.ts";
import { shortId } from "../lib/ids.ts";
import { shared } from "../lib/words.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Bar, Empty, ErrorState } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { setSearched, useSearched } from "./searched.ts";
import { words } from "./words.ts";

/** Finds users by what a person can tell. What is typed stays in this page's memory. */
export function FindPage() {
  usePageTitle(words.title);
  const { q } = useSearch({ from: "/users" });
  const searched = useSearched();
  const text = q ?? searched;
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const submit = () => {
    const typed = field.current?.value.trim() ?? "";
    const found = detect(typed);
    if (found.kind === "record") return void navigate({ to: "/records/$kycRecordId", params: found });
    if (found.kind === "request") return void navigate({ to: "/requests/$requestId", params: found });
    setSearched(found.kind === "user" ? "" : typed);
    void navigate({ to: "/users", search: found.kind === "user" ? { q: found.externalUserId } : {} });
  };
  return (
    <Page>
      <h1 className="text-20 font-semibold tracking-tight">{words.title}</h1>
      <p className="text-muted">{words.lead}</p>
      <form
        className="mt-4 max-w-xl"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <label htmlFor="find" className="mb-1 block text-13 text-muted">
          {words.label}
        </label>
        <div className="flex gap-2">
          <input
            id="find"
            key={text}
            ref={field}
            type="text"
            defaultValue={text}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            aria-describedby="find-private"
            className="h-9 min-w-0 flex-1 rounded border border-line-strong bg-surface px-3"
          />
          <Button type="submit" kind="primary">
            {words.find}
          </Button>
        </div>
        <p id="find-private" className="mt-1 text-13 text-muted">
          {words.private}
        </p>
      </form>
      <div aria-live="polite" className="mt-6">
        {text === "" ? (
          <div className="rounded border border-line bg-surface">
            <Empty title={words.start} text={words.startText} />
          </div>
        ) : (
          <Results text={text} />
        )}
      </div>
    </Page>
  );
}

/** The users with this name. A text that may be several things is looked up as each of them. */
function Results({ text }: { text: string }) {
  const navigate = useNavigate();
  const found = detect(text);
  const inputs =
    found.kind === "email"
      ? [{ email: found.email }]
      : found.kind === "user"
        ? [{ externalUserId: found.externalUserId }]
        : [{ memberId: text }, { cardAccountId: text }, { externalUserId: text }];
  const results = useQueries({
    // What was searched for is forgotten as soon as nothing shows it.
    queries: inputs.map((input) => api.users.find.queryOptions(input as { email: string }, { gcTime: 0 })),
  });
  const users = [
    ...new Map(
      results
        .flatMap(({ data }) => data?.users ?? [])
        .map((user) => [`${user.platformId}/${user.externalUserId}`, user]),
    ).values(),
  ];
  const done = results.every(({ isPending }) => !isPending);
  // One that is asked as several things may be malformed as some of them.
  const failed = results.every(({ isError }) => isError) ? results[0] : undefined;
  const [only] = users;
  const direct = done && users.length === 1 && found.kind === "user" ? only : undefined;
  useEffect(() => {
    if (!direct) return;
    const { platformId, externalUserId } = direct;
    void navigate({
      to: "/users/$platformId/$externalUserId",
      params: { platformId, externalUserId },
      replace: true,
    });
  }, [direct, navigate]);
  if (failed) {
    return (
      <div className="rounded border border-line bg-surface">
        <ErrorState
          error={failed.error}
          onRetry={() => void Promise.all(results.map(({ refetch }) => refetch()))}
        />
      </div>
    );
  }
  if (!done || direct) return <FoundUsers users={undefined} />;
  if (users.length === 0) {
    return (
      <div className="rounded border border-line bg-surface">
        <Empty title={words.none} text={words.noneText} />
      </div>
    );
  }
  return <FoundUsers users={users} />;
}

type Found = RouterOutputs["users"]["find"]["users"][number];

/** The users who were found, one for each platform; without them, the shape of the list. */
function FoundUsers({ users }: { users: readonly Found[] | undefined }) {
  if (!users) {
    return (
      <div aria-busy="true" className="flex max-w-4xl flex-col gap-3 pt-8">
        <Bar className="h-9 w-full" />
      </div>
    );
  }
  return (
    <section aria-label={words.found(users.length)} className="max-w-4xl">
      <h2 className="mb-2 text-14 font-semibold">{words.found(users.length)}</h2>
      <ul className="rounded border border-line bg-surface">
        {users.map(({ platformId, platformName, externalUserId, createdAt, erasure, held }) => (
          <li
            key={`${platformId}${externalUserId}`}
            className="relative grid min-h-9 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 border-t border-line px-4 py-2 first:border-t-0 hover:bg-sunken sm:grid-cols-[minmax(0,1fr)_180px_minmax(0,160px)_100px_16px] sm:py-1"
          >
            <span className="truncate font-medium" title={platformName}>
              {platformName}
            </span>
            <Link
              to="/users/$platformId/$externalUserId"
              params={{ platformId, externalUserId }}
              title={externalUserId}
              className="mono rounded text-accent after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent max-sm:text-right"
            >
              {shortId(externalUserId)}
            </Link>
            <span className="text-13 text-muted">
              {shared.users.erasure[erasure]}
              {held && <span className="text-attention"> · {shared.users.held}</span>}
            </span>
            <span title={exactTime(createdAt)} className="text-right text-13 text-muted">
              <Time at={createdAt} />
            </span>
            <Icon name="next" className="text-muted max-sm:hidden" />
          </li>
        ))}
      </ul>
    </section>
  );
}
