import { useEffect, useRef, useState } from "react";
import {
  type Environment,
  loadSession,
  type Session,
  signInAddress,
  signInBeside,
  type WhySignedOut,
} from "../api/session.ts";
import { shared } from "../lib/words.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { usePageTitle } from "../ui/page.tsx";
import { EnvironmentLine, EnvironmentWord } from "./environment.tsx";
import { words } from "./words.ts";

const said: Record<WhySignedOut, { title: string; text: string; button: string }> = {
  new: { title: words.signIn.title, text: words.signIn.text, button: words.signIn.button },
  idle: { title: words.signIn.idleTitle, text: words.signIn.idle, button: shared.signIn.again },
  left: { title: words.signIn.outTitle, text: words.signIn.out, button: shared.signIn.again },
  "too-old": { title: words.signIn.title, text: shared.signIn.tooOld, button: shared.signIn.again },
  refused: { title: words.signIn.refusedTitle, text: words.signIn.refused, button: shared.signIn.again },
  unavailable: {
    title: words.signIn.unavailableTitle,
    text: words.signIn.unavailable,
    button: shared.signIn.again,
  },
  unreachable: { title: words.signIn.title, text: words.signIn.unreachable, button: shared.retry },
};

interface Props {
  why: WhySignedOut;
  environment?: Environment | undefined;
  /** The ended session, whose view waits. */
  session?: Session | undefined;
}

/**
 * The view of somebody who is not signed in. The address stays, so that signing in returns to the same place. A view that
 * was open waits behind it, as it was: the sign-in then opens in a window of its own.
 */
export function SignIn({ why, environment, session }: Props) {
  usePageTitle(words.signIn.button);
  const { title, text, button } = said[why];
  const [place] = useState(() => ({ focused: document.activeElement, top: scrollY }));
  const begin = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    begin.current?.focus();
    return () => {
      if (place.focused instanceof HTMLElement) place.focused.focus();
      scrollTo(0, place.top);
    };
  }, [place]);
  return (
    <main className="relative flex min-h-dvh items-center justify-center px-4 pb-24">
      <div className="absolute inset-x-0 top-0">
        {environment && <EnvironmentLine environment={environment} />}
      </div>
      <div className="w-full max-w-sm">
        <p className="mb-8 flex items-center gap-2 text-16 font-semibold tracking-tight text-muted">
          {words.product}
          {environment && <EnvironmentWord environment={environment} />}
        </p>
        <h1 className="mb-2 text-28 font-semibold tracking-tight">{title}</h1>
        <p className="text-16 text-muted">{text}</p>
        {session && <p className="mt-2 text-16 text-muted">{words.signIn.kept}</p>}
        <div className="mt-8">
          {session || why === "unreachable" ? (
            <Button
              ref={begin}
              kind="primary"
              className="h-11 px-6"
              onClick={() => (why === "unreachable" ? void loadSession() : signInBeside(why === "too-old"))}
            >
              {button}
            </Button>
          ) : (
            <a href={signInAddress()} className={`${buttonClass("primary")} h-11 px-6`}>
              {button}
            </a>
          )}
        </div>
      </div>
    </main>
  );
}

/** The end of a sign-in in a window of its own: the page that opened it goes on. */
export function SignedIn() {
  usePageTitle(words.signIn.done);
  useEffect(() => close(), []);
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-2 px-4 pb-24 text-center">
      <h1 className="text-28 font-semibold tracking-tight">{words.signIn.done}</h1>
      <p className="text-16 text-muted">{words.signIn.close}</p>
    </main>
  );
}
