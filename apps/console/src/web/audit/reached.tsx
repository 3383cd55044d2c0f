import type { RouterOutputs } from "@cardbridge/trpc-client";
import { exactTime } from "../lib/age.ts";
import { words } from "../words.ts";

const { audit: say } = words;

/** How far back a search has read, so that nobody takes silence for proof. */
export function Reached({ page }: { page: RouterOutputs["audit"]["list"] }) {
  const { reachesTo, since, narrow, nextCursor } = page;
  return (
    <p className="flex flex-wrap gap-x-2">
      {reachesTo !== null && <span>{say.reaches(exactTime(reachesTo))}</span>}
      {narrow && <span>{say.narrow}</span>}
      {nextCursor === null && <span>{say.all}</span>}
      {since !== null && <span>{say.since(exactTime(since))}</span>}
    </p>
  );
}
