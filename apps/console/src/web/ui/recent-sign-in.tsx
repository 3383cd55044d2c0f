import { signInBeside } from "../api/session.ts";
import { useMe } from "../lib/use-me.ts";
import { useNow } from "../lib/use-now.ts";
import { shared } from "../lib/words.ts";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

const words = {
  beside: "A window opens for it. What you typed stays here.",
} as const;

/** Whether the person signed in recently enough for acts that need it. The service decides. */
export function useIsRecent(): boolean {
  const { me } = useMe();
  const now = useNow();
  if (!me) return true;
  return me.signInRequiredAt !== null && Date.parse(me.signInRequiredAt) > now;
}

/** Says before an act that it needs another sign-in, and opens it beside this view. It goes once the person is back. */
export const RecentSignIn = () => (
  <Notice meaning="attention">
    <p>{shared.signIn.tooOld}</p>
    <p className="mb-2">{words.beside}</p>
    <Button onClick={() => signInBeside(true)}>{shared.signIn.again}</Button>
  </Notice>
);
