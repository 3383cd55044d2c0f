import { Link, Outlet, useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { Session } from "../api/session.ts";
import { shortTime } from "../lib/age.ts";
import { useLiveConnection, useLiveState } from "../lib/live.ts";
import { useKeys } from "../lib/use-keys.ts";
import { type Pause, useActivePauses } from "../lib/use-pauses.ts";
import { shared } from "../lib/words.ts";
import { Button, Key } from "../ui/button.tsx";
import { cx } from "../ui/class.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { popups } from "../ui/popups.ts";
import { meaningBox, meaningText, Shape } from "../ui/state-mark.tsx";
import { Time } from "../ui/time.tsx";
import { EnvironmentLine, EnvironmentWord } from "./environment.tsx";
import { BottomNavigation, SideNavigation } from "./navigation.tsx";
import { PersonMenu } from "./person-menu.tsx";
import { SearchBox } from "./search-box.tsx";
import { words } from "./words.ts";

const groups = [
  [words.keys.queueTitle, words.keys.queue],
  [words.keys.recordTitle, words.keys.record],
] as const;

/** The provider's pause concerns everybody. */
const rank = ({ target }: Pause): number => (target === "provider" ? 0 : 1);

const headline = ({ target, platformName, platformId }: Pause): string =>
  target === "provider" ? words.pauses.provider : words.pauses.platform(platformName ?? platformId ?? "");

/** What is around every view: environment, navigation, search and the person. */
export function Shell({ session }: { session: Session }) {
  const [keysShown, showKeys] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  useLiveConnection();
  useKeys({
    "/": () => search.current?.focus(),
    "?": () => showKeys(true),
    "g h": () => void navigate({ to: "/" }),
    "g q": () => void navigate({ to: "/queue", search: {} }),
    "g p": () => void navigate({ to: "/proposals", search: {} }),
  });
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded bg-accent px-4 py-2 text-on-accent focus:translate-y-0"
      >
        {words.skip}
      </a>
      <header className="sticky top-0 z-30 border-b border-line bg-surface">
        <EnvironmentLine environment={session.environment} />
        <div className="flex h-13 items-center gap-2 px-4 md:gap-3 md:px-6">
          <span className="flex items-center gap-2 md:w-42">
            <span className="font-semibold tracking-tight sm:text-16">{words.product}</span>
            <EnvironmentWord environment={session.environment} />
          </span>
          <SearchBox inputRef={search} />
          <LiveMark />
          <PersonMenu session={session} onKeys={() => showKeys(true)} />
        </div>
      </header>
      <div className="flex flex-1">
        <SideNavigation />
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          <ConnectionBar />
          <PauseBanner />
          <Outlet />
          <div ref={popups} />
        </main>
      </div>
      <BottomNavigation />
      <KeysDialog open={keysShown} onOpenChange={showKeys} />
    </div>
  );
}

/** Says that the live changes are interrupted. It lies over the margin, so that nothing moves. */
function ConnectionBar() {
  const lost = useLiveState() === "reconnecting";
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-20 z-30 flex justify-center md:bottom-4"
    >
      {lost && (
        <Notice meaning="waiting" className="shadow-float">
          {words.live.reconnectingBar}
        </Notice>
      )}
    </div>
  );
}

/** Whether the page follows the changes: a word with a dot that is full, open or half. */
function LiveMark() {
  const state = useLiveState();
  const good = state === "on";
  return (
    <span
      title={words.live.explain[state]}
      className={cx(
        "hidden shrink-0 items-center gap-1.5 text-13 lg:inline-flex",
        good ? "text-good" : state === "reconnecting" ? "text-attention" : "text-muted",
      )}
    >
      <span className={cx("size-2 rounded-full border-2 border-current", good && "bg-current")} />
      {words.live[state]}
    </span>
  );
}

/** Says on every view what is paused: who did it, why, and until when. */
function PauseBanner() {
  const pauses = useActivePauses().data?.pauses ?? [];
  const [first] = [...pauses].sort((a, b) => rank(a) - rank(b));
  if (!first) return null;
  return (
    <section
      aria-label={words.pauses.label}
      className={cx("border-b px-4 py-2 md:px-6", meaningBox("attention"), meaningText("attention"))}
    >
      <div className="mx-auto flex max-w-[1312px] flex-wrap items-baseline gap-x-3 gap-y-0.5">
        <strong className="flex items-center gap-2 font-semibold">
          <Shape meaning="attention" />
          {headline(first)}
        </strong>
        <span className="min-w-0 text-text">
          {words.pauses.why(first.reason)} ·{" "}
          {words.pauses.by(first.person?.name ?? shared.pauses.commandLine)}
        </span>
        <span className="text-text tabular-nums">
          {words.pauses.until} {shortTime(first.until)} (<Time at={first.until} />)
        </span>
        <span className="flex gap-2 md:ml-auto">
          {pauses.length > 1 && <span className="text-text">{words.pauses.more(pauses.length - 1)}</span>}
          <Link to="/system" hash="pauses" className="rounded font-medium underline underline-offset-2">
            {words.pauses.look}
          </Link>
        </span>
      </div>
    </section>
  );
}

/** Lists the keys. */
function KeysDialog({ open, onOpenChange }: { open: boolean; onOpenChange(open: boolean): void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={words.keys.title}>
      <List entries={words.keys.list} />
      {groups.map(([title, entries]) => (
        <div key={title} className="mt-4">
          <h3 className="mb-1 text-13 font-semibold text-muted">{title}</h3>
          <List entries={entries} />
        </div>
      ))}
      <div className="mt-6 flex justify-end">
        <Button onClick={() => onOpenChange(false)}>{shared.close}</Button>
      </div>
    </Dialog>
  );
}

function List({ entries }: { entries: readonly (readonly [string, string])[] }) {
  return (
    <dl>
      {entries.map(([key, text]) => (
        <div
          key={key}
          className="flex h-9 items-center justify-between border-t border-line first:border-t-0"
        >
          <dt className="order-2">
            <span className="sr-only">{key}</span>
            <span className="flex gap-1">
              {key.split(/\s+/).map((part) => (
                <Key key={part} always>
                  {part}
                </Key>
              ))}
            </span>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
