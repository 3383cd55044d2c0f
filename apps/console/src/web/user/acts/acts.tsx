import type { Me } from "../../api/shapes.ts";
import { has } from "../../lib/scopes.ts";
import { useIsFresh } from "../../ui/fresh-sign-in.tsx";
import { Card, Section } from "../../ui/section.tsx";
import { words } from "../../words.ts";
import type { ActProps } from "./act-row.tsx";
import { EraseUser } from "./erase.tsx";
import { ExportUser } from "./export.tsx";
import { Identifiers } from "./identifiers.tsx";
import { PlaceHold } from "./place-hold.tsx";
import { RelinkUser } from "./relink.tsx";

const { userActs: say } = words;

/** What compliance does with a user. What cannot be taken back comes last, and looks like it. */
export function Acts({ user, platform, me }: Omit<ActProps, "isFresh"> & { me: Me | undefined }) {
  const isFresh = useIsFresh(me);
  const reads = has(me, "ops.evidence");
  const writes = has(me, "ops.users.write");
  const holds = has(me, "ops.compliance");
  if (!reads && !writes && !holds) return null;
  const props = { user, platform, isFresh };
  const erased = user.erasure === "erased";
  return (
    <Section title={say.title}>
      <Card>
        {reads && !erased && <Identifiers {...props} />}
        {writes && !erased && <RelinkUser {...props} />}
        {reads && <ExportUser {...props} />}
        {holds && <PlaceHold {...props} />}
        {writes && user.erasure === "none" && <EraseUser {...props} />}
      </Card>
    </Section>
  );
}
