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
import { EnvironmentLine, Product } from "./environment.tsx";

const { again, tooOld } = shared.signIn;

const words = {
  signIn: "Sign in",
  kept: "Your view waits for you, with what you typed.",
  done: "You are signed in",
  close: "Close this window, and go on in the other one.",
  why: {
    new: {
      title: "Support console",
      text: "Find a user, see why a verification waits, and move it on.",
      button: "Sign in",
    },
    idle: {
      title: "You were signed out",
      text: "Nobody used this session for 15 minutes, or it was ended elsewhere.",
      button: again,
    },
    left: {
      title: "You are signed out",
      text: "Close the window if you share this computer.",
      button: again,
    },
    "too-old": { title: "Support console", text: tooOld, button: again },
    refused: {
      title: "The sign-in did not work",
      text: "It took too long, or it was cancelled. Try it once more; if it stays, ask an administrator for access.",
      button: again,
    },
    unavailable: {
      title: "You cannot sign in right now",
      text: "The sign-in service does not answer. Try again in a minute.",
      button: again,
    },
    unreachable: {
      title: "Support console",
      text: "The console’s server does not answer.",
      button: shared.retry,
    },
  },
} as const;

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
  usePageTitle(words.signIn);
  const { title, text, button } = words.why[why];
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
        <div className="mb-8 text-muted">
          <Product environment={environment} />
        </div>
        <h1 className="mb-2 text-28 font-semibold tracking-tight">{title}</h1>
        <p className="text-16 text-muted">{text}</p>
        {session && <p className="mt-2 text-16 text-muted">{words.kept}</p>}
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
  usePageTitle(words.done);
  useEffect(() => close(), []);
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-2 px-4 pb-24 text-center">
      <h1 className="text-28 font-semibold tracking-tight">{words.done}</h1>
      <p className="text-16 text-muted">{words.close}</p>
    </main>
  );
}
