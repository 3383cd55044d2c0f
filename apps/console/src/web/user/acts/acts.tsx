import { useMe } from "../../lib/use-me.ts";
import { Card, Section } from "../../ui/section.tsx";
import type { ActProps } from "./act.tsx";
import { EraseUser } from "./erase.tsx";
import { ExportUser } from "./export.tsx";
import { Identifiers } from "./identifiers.tsx";
import { PlaceHold } from "./place-hold.tsx";
import { RelinkUser } from "./relink.tsx";

const words = { title: "Acts" } as const;

/** What compliance does with a user. What cannot be taken back comes last, and looks like it. */
export function Acts({ user, platform }: ActProps) {
  const { may } = useMe();
  const reads = may("ops.evidence");
  const writes = may("ops.users.write");
  const holds = may("ops.compliance");
  // Nothing is left of an erased user that an act could be about.
  if (user.erasure === "erased" || (!reads && !writes && !holds)) return null;
  const props = { user, platform };
  return (
    <Section title={words.title}>
      <Card>
        {reads && <Identifiers {...props} />}
        {writes && <RelinkUser {...props} />}
        {reads && <ExportUser {...props} />}
        {holds && <PlaceHold {...props} />}
        {writes && user.erasure === "none" && <EraseUser {...props} />}
      </Card>
    </Section>
  );
}
