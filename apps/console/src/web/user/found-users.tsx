import type { RouterOutputs } from "@cardbridge/trpc-client";
import { Link } from "@tanstack/react-router";
import { exactTime } from "../lib/age.ts";
import { shortId } from "../lib/ids.ts";
import { Icon } from "../ui/icon.tsx";
import { Bar } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { words } from "../words.ts";

const { users: say } = words;
type Found = RouterOutputs["users"]["find"]["users"][number];

/** The users who were found, one for each platform; without them, the shape of the list. */
export function FoundUsers({ users }: { users: readonly Found[] | undefined }) {
  if (!users) {
    return (
      <div aria-busy="true" className="flex max-w-4xl flex-col gap-3 pt-8">
        <Bar className="h-9 w-full" />
      </div>
    );
  }
  return (
    <section aria-label={say.found(users.length)} className="max-w-4xl">
      <h2 className="mb-2 text-14 font-semibold">{say.found(users.length)}</h2>
      <ul className="rounded border border-line bg-surface">
        {users.map(({ platformId, platformName, externalUserId, createdAt, erasure, held }) => (
          <li
            key={`${platformId}${externalUserId}`}
            className="relative grid min-h-9 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 border-t border-line px-4 py-2 first:border-t-0 hover:bg-sunken sm:grid-cols-[minmax(0,1fr)_180px_minmax(0,160px)_100px_16px] sm:py-1"
          >
            <span className="truncate font-medium" title={platformName}>
              {platformName}
            </span>
            <Link
              to="/users/$platformId/$externalUserId"
              params={{ platformId, externalUserId }}
              title={externalUserId}
              className="mono rounded text-accent after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent max-sm:text-right"
            >
              {shortId(externalUserId)}
            </Link>
            <span className="text-13 text-muted">
              {say.erasure[erasure]}
              {held && <span className="text-attention"> · {say.held}</span>}
            </span>
            <span title={exactTime(createdAt)} className="text-right text-13 text-muted">
              <Time at={createdAt} />
            </span>
            <Icon name="next" className="text-muted max-sm:hidden" />
          </li>
        ))}
      </ul>
    </section>
  );
}
