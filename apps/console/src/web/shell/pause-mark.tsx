import { Link } from "@tanstack/react-router";
import { shortTime } from "../lib/age.ts";
import { type Pause, useActivePauses } from "../lib/use-pauses.ts";
import { shared } from "../lib/words.ts";
import { cx } from "../ui/class.ts";
import { meaningBox, meaningText, Shape } from "../ui/state-mark.tsx";

const words = {
  label: "Paused now",
  provider: (until: string) => `Provider paused until ${until}`,
  platform: (name: string, until: string) => `${name} paused until ${until}`,
  why: (reason: string, name: string) => `Why: ${reason} · by ${name}`,
  more: (n: number) => `+ ${n} more`,
} as const;

/** The provider's pause concerns everybody. */
const rank = ({ target }: Pause): number => (target === "provider" ? 0 : 1);

/**
 * Says on every view what is paused until when; why and by whom on hover, and behind the link. It stands in the header, on a
 * phone above the navigation, so that the content does not move when a pause begins.
 */
export function PauseMark() {
  const pauses = useActivePauses().data?.pauses ?? [];
  const [first] = [...pauses].sort((a, b) => rank(a) - rank(b));
  if (!first) return null;
  const { target, platformName, platformId, reason, person } = first;
  const until = shortTime(first.until);
  const why = words.why(reason, person?.name ?? shared.pauses.commandLine);
  const more = pauses.length > 1 ? words.more(pauses.length - 1) : "";
  return (
    <section
      aria-label={words.label}
      className={cx(
        "max-md:fixed max-md:inset-x-0 max-md:bottom-[calc(57px+env(safe-area-inset-bottom))] max-md:border-t md:max-w-56 md:min-w-0 md:rounded md:border lg:max-w-none",
        meaningBox("attention"),
      )}
    >
      <Link
        to="/system"
        hash="pauses"
        title={why}
        className={cx("flex h-8 items-center gap-2 rounded px-4 md:px-2.5", meaningText("attention"))}
      >
        <Shape meaning="attention" />
        <span className="truncate text-13 font-medium tabular-nums">
          {target === "provider"
            ? words.provider(until)
            : words.platform(platformName ?? platformId ?? "", until)}
          <span className="sr-only">. {why}</span>
        </span>
        {more && <span className="text-13 whitespace-nowrap">{more}</span>}
      </Link>
    </section>
  );
}
