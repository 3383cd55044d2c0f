import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api/client.ts";
import { useMe } from "../lib/use-me.ts";
import { Button } from "../ui/button.tsx";
import { ListState } from "../ui/list-state.tsx";
import { Section } from "../ui/section.tsx";
import { EndpointActs, type Open } from "./endpoint-acts.tsx";
import { EndpointTable } from "./endpoint-table.tsx";
import { words } from "./words.ts";

/** The endpoints of one platform, and a new one. */
export function PlatformEndpoints({ platformId }: { platformId: string }) {
  const list = useQuery(api.webhooks.endpointHealth.queryOptions({ platformIds: [platformId] }));
  const [open, setOpen] = useState<Open>();
  const { may } = useMe();
  return (
    <Section
      title={words.ofPlatform}
      aside={
        may("ops.webhooks") && <Button onClick={() => setOpen({ act: "create" })}>{words.create}</Button>
      }
    >
      <ListState
        query={list}
        empty={list.data?.endpoints.length === 0}
        nothing={{ title: words.empty, text: words.emptyText }}
      >
        <EndpointTable endpoints={list.data?.endpoints} withPlatform={false} />
      </ListState>
      {open && (
        <EndpointActs
          open={open}
          platformId={platformId}
          onOpen={setOpen}
          onDone={() => void list.refetch()}
        />
      )}
    </Section>
  );
}
