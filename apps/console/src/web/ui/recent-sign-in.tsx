import { signInAddress } from "../api/session.ts";
import { useMe } from "../lib/use-me.ts";
import { useNow } from "../lib/use-now.ts";
import { shared } from "../lib/words.ts";
import { Notice } from "./notice.tsx";

const words = {
  before: "Sign in before you begin. You come back to this page.",
} as const;

/** Whether the person signed in recently enough for acts that need it. The service decides. */
export function useIsRecent(): boolean {
  const { me } = useMe();
  const now = useNow();
  if (!me) return true;
  return me.signInRequiredAt !== null && Date.parse(me.signInRequiredAt) > now;
}

/** Says before an act that it needs another sign-in, which leads back to this view, so that nothing typed is lost. */
export function RecentSignIn() {
  return (
    <Notice meaning="attention">
      <p>{shared.signIn.tooOld}</p>
      <p>
        {words.before}{" "}
        <a href={signInAddress(true)} className="font-medium underline underline-offset-3">
          {shared.signIn.again}
        </a>
      </p>
    </Notice>
  );
}
