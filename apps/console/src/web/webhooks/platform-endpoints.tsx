import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { ListState } from "../ui/list-state.tsx";
import { Section } from "../ui/section.tsx";
import { EndpointTable } from "./endpoint-table.tsx";
import { words } from "./words.ts";

/** The endpoints of one platform. */
export function PlatformEndpoints({ platformId }: { platformId: string }) {
  const list = useQuery(api.webhooks.endpointHealth.queryOptions({ platformIds: [platformId] }));
  return (
    <Section title={words.ofPlatform}>
      <ListState
        query={list}
        empty={list.data?.endpoints.length === 0}
        nothing={{ title: words.empty, text: words.emptyText }}
      >
        <EndpointTable endpoints={list.data?.endpoints} withPlatform={false} />
      </ListState>
    </Section>
  );
}
