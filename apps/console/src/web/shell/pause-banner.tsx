import { Link } from "@tanstack/react-router";
import { shortTime } from "../lib/age.ts";
import { type Pause, useActivePauses } from "../lib/use-pauses.ts";
import { cx } from "../ui/class.ts";
import { meaningBox, meaningText, Shape } from "../ui/state-mark.tsx";
import { Time } from "../ui/time.tsx";
import { words } from "../words.ts";

const { pauses: say } = words;

/** Says on every view what is paused: who did it, why, and until when. */
export function PauseBanner() {
  const pauses = useActivePauses().data?.pauses ?? [];
  const [first] = [...pauses].sort((a, b) => rank(a) - rank(b));
  if (!first) return null;
  return (
    <section
      aria-label={say.label}
      className={cx("border-b px-4 py-2 md:px-6", meaningBox("attention"), meaningText("attention"))}
    >
      <div className="mx-auto flex max-w-[1312px] flex-wrap items-baseline gap-x-3 gap-y-0.5">
        <strong className="flex items-center gap-2 font-semibold">
          <Shape meaning="attention" />
          {headline(first)}
        </strong>
        <span className="min-w-0 text-text">
          {say.why(first.reason)} · {say.by(first.person?.name ?? say.commandLine)}
        </span>
        <span className="text-text tabular-nums">
          {say.until} {shortTime(first.until)} (<Time at={first.until} />)
        </span>
        <span className="flex gap-2 md:ml-auto">
          {pauses.length > 1 && <span className="text-text">{say.more(pauses.length - 1)}</span>}
          <Link to="/system" hash="pauses" className="rounded font-medium underline underline-offset-2">
            {say.look}
          </Link>
        </span>
      </div>
    </section>
  );
}

/** The provider's pause concerns everybody. */
const rank = ({ target }: Pause): number => (target === "provider" ? 0 : 1);

const headline = ({ target, platformName, platformId }: Pause): string =>
  target === "provider" ? say.provider : say.platform(platformName ?? platformId ?? "");
