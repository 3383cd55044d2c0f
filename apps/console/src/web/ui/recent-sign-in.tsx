import { useMe } from "../lib/use-me.ts";
import { useNow } from "../lib/use-now.ts";
import { signInAddress } from "../session.ts";
import { words } from "../words.ts";
import { Notice } from "./notice.tsx";

/** Whether the person signed in recently enough for acts that need it. The service decides. */
export function useIsRecent(): boolean {
  const { me } = useMe();
  const now = useNow();
  if (!me) return true;
  return me.signInRequiredAt !== null && Date.parse(me.signInRequiredAt) > now;
}

/** Says before an act that it needs another sign-in, which leads back to this view, so that nothing typed is lost. */
export function RecentSignIn() {
  const { signIn } = words;
  return (
    <Notice meaning="attention">
      <p>{signIn.tooOld}</p>
      <p>
        {signIn.before}{" "}
        <a href={signInAddress(true)} className="font-medium underline underline-offset-3">
          {signIn.again}
        </a>
      </p>
    </Notice>
  );
}
