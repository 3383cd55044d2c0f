import { TabLinks } from "../ui/head.tsx";
import { words } from "../words.ts";
import { type ProposalSearch, tabs } from "./search.ts";

const { proposals: say } = words;

/** Which proposals: those that wait for the person, the open ones, or the decided ones. */
export const ProposalTabs = ({
  search,
  waiting,
}: {
  search: ProposalSearch;
  waiting: number | undefined;
}) => (
  <TabLinks
    label={say.tabsLabel}
    tabs={tabs.map((tab) => ({
      name: say.tabs[tab],
      link: { to: "/proposals", search: { ...search, tab: tab === "waiting" ? undefined : tab } },
      bySearch: true,
      count: tab === "waiting" ? waiting : undefined,
    }))}
  />
);
