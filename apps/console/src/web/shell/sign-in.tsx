import { type Environment, loadSession, signInAddress, type WhySignedOut } from "../api/session.ts";
import { shared } from "../lib/words.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { usePageTitle } from "../ui/page.tsx";
import { EnvironmentLine, EnvironmentWord } from "./environment.tsx";
import { words } from "./words.ts";

const said: Record<WhySignedOut, { title: string; text: string; detail?: string; button: string }> = {
  new: { title: words.signIn.title, text: words.signIn.text, button: words.signIn.button },
  idle: {
    title: words.signIn.idleTitle,
    text: words.signIn.idle,
    detail: words.signIn.idleKept,
    button: shared.signIn.again,
  },
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

/** The only view of somebody who is not signed in. The address stays, so that signing in returns to the same place. */
export function SignIn({ why, environment }: { why: WhySignedOut; environment?: Environment | undefined }) {
  usePageTitle(words.signIn.button);
  const { title, text, detail, button } = said[why];
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
        {detail && <p className="mt-2 text-muted">{detail}</p>}
        <div className="mt-8">
          {why === "unreachable" ? (
            <Button kind="primary" onClick={() => void loadSession()}>
              {button}
            </Button>
          ) : (
            <a href={signInAddress(why === "too-old")} className={`${buttonClass("primary")} h-11 px-6`}>
              {button}
            </a>
          )}
        </div>
      </div>
    </main>
  );
}
