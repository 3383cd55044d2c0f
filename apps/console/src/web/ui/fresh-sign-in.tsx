import type { Me } from "../api/shapes.ts";
import { useNow } from "../lib/use-now.ts";
import { signInAddress } from "../session.ts";
import { words } from "../words.ts";
import { Notice } from "./notice.tsx";

/** Whether the person signed in recently enough for acts that need it. The service decides. */
export function useIsFresh(me: Me | undefined): boolean {
  const now = useNow();
  if (!me) return true;
  return me.signInRequiredAt !== null && Date.parse(me.signInRequiredAt) > now;
}

/** Says before a form is filled in that its act needs another sign-in, which leads back to this view. */
export function FreshSignIn() {
  const { acts } = words;
  return (
    <Notice meaning="attention">
      <p>{acts.freshTitle}</p>
      <p>
        {acts.freshText}{" "}
        <a href={signInAddress(true)} className="font-medium underline underline-offset-3">
          {acts.fresh}
        </a>
      </p>
    </Notice>
  );
}
