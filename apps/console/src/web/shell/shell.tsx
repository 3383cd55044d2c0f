import { Outlet, useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useLiveConnection, useLiveState } from "../lib/live.ts";
import { useKeys } from "../lib/use-keys.ts";
import type { Session } from "../session.ts";
import { Notice } from "../ui/notice.tsx";
import { popups } from "../ui/popups.ts";
import { words } from "../words.ts";
import { EnvironmentLine, EnvironmentWord } from "./environment.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { LiveMark } from "./live-mark.tsx";
import { BottomNavigation, SideNavigation } from "./navigation.tsx";
import { PauseBanner } from "./pause-banner.tsx";
import { PersonMenu } from "./person-menu.tsx";
import { SearchBox } from "./search-box.tsx";

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
    "g u": () => void navigate({ to: "/users", search: {} }),
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
