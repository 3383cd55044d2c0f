import { useNow } from "../lib/use-now.ts";
import { useSession } from "../session.ts";
import { Page, usePageTitle } from "../ui/page.tsx";
import { words } from "../words.ts";
import { alarmsOf } from "./alarms.ts";
import { Endpoints } from "./endpoints.tsx";
import { Figures } from "./figures.tsx";
import { Headline } from "./headline.tsx";
import { Provider } from "./provider.tsx";
import { useHome } from "./use-home.ts";

/** How the service stands: one sentence if all is well, otherwise what needs somebody. */
export function HomePage() {
  usePageTitle(words.home.title);
  const session = useSession();
  const slaHours = session.state === "signed-in" ? session.session.slaHours : 4;
  const now = useNow();
  const { counts, status, health, pauses, proposals } = useHome();
  const known = {
    counts: counts.data,
    status: status.data,
    health: health.data,
    pauses: pauses.data?.pauses,
  };
  const queries = [counts, status, health, pauses];
  return (
    <Page>
      <h1 className="sr-only">{words.home.title}</h1>
      <Headline
        alarms={alarmsOf(known, slaHours, now)}
        pending={queries.some(({ isPending }) => isPending)}
        unknown={queries.some(({ data, isError }) => isError && !data)}
        endpoints={health.data?.endpoints ?? 0}
      />
      <Figures counts={counts} proposals={proposals.data?.waitingForMe} slaHours={slaHours} now={now} />
      <div className="mt-6 grid items-start gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Endpoints health={health} />
        <Provider status={status} />
      </div>
    </Page>
  );
}
