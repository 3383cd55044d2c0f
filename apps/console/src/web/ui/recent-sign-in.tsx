import { useMe } from "../lib/use-me.ts";
import { useNow } from "../lib/use-now.ts";
import { signInAddress } from "../session.ts";
import { words } from "../words.ts";
import { Notice } from "./notice.tsx";

/** Says before a form is filled in that its act needs a recent sign-in, so that nothing typed is lost. */
export function RecentSignIn() {
  const { me } = useMe();
  const now = useNow();
  if (!me || (me.signInRequiredAt !== null && Date.parse(me.signInRequiredAt) > now)) return null;
  return (
    <Notice meaning="waiting">
      {words.signIn.tooOld}{" "}
      <a href={signInAddress(true)} className="font-medium underline underline-offset-2">
        {words.signIn.again}
      </a>
    </Notice>
  );
}
