import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { api } from "../api/client.ts";
import type { Session } from "../api/session.ts";
import { useLiveConnection, useLiveState } from "../lib/live.ts";
import { useKeys } from "../lib/use-keys.ts";
import { Notice } from "../ui/notice.tsx";
import { Page } from "../ui/page.tsx";
import { popups } from "../ui/popups.ts";
import { Bar } from "../ui/states.tsx";
import { EnvironmentLine, Product } from "./environment.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { BottomNavigation, SideNavigation } from "./navigation.tsx";
import { PauseMark } from "./pause-mark.tsx";
import { PersonMenu } from "./person-menu.tsx";
import { SearchBox } from "./search-box.tsx";

const words = {
  skip: "Skip to the content",
  connectionLost: "Connection lost. What you see may be some seconds old; we reconnect and miss nothing.",
} as const;

/** What is around every view: environment, navigation, search and the person. */
export function Shell({ session }: { session: Session }) {
  const [keysShown, showKeys] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  // A view is shown once it is known what the person may do: nothing appears in it later.
  const ready = !useQuery(api.persons.me.queryOptions({})).isPending;
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
          <div className="md:w-42 md:shrink-0">
            <Product environment={session.environment} />
          </div>
          <SearchBox inputRef={search} />
          <div className="ml-auto flex min-w-0 items-center gap-2 md:gap-3">
            <PauseMark />
            <PersonMenu session={session} onKeys={() => showKeys(true)} />
          </div>
        </div>
      </header>
      <div className="flex flex-1">
        <SideNavigation ready={ready} />
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          <ConnectionBar />
          {ready ? (
            <Outlet />
          ) : (
            <Page>
              <Bar className="mb-5 h-7 w-48" />
              <Bar className="h-64 w-full" />
            </Page>
          )}
          <div ref={popups} />
        </main>
      </div>
      <BottomNavigation ready={ready} />
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
      className="pointer-events-none fixed inset-x-4 bottom-26 z-30 flex justify-center md:bottom-4"
    >
      {lost && (
        <Notice meaning="waiting" className="shadow-float">
          {words.connectionLost}
        </Notice>
      )}
    </div>
  );
}
