import { skipToken, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api/client.ts";
import { useMe } from "../lib/use-me.ts";
import { Button } from "../ui/button.tsx";
import { Head } from "../ui/head.tsx";
import { ListState } from "../ui/list-state.tsx";
import { Page } from "../ui/page.tsx";
import { Card } from "../ui/section.tsx";
import { Select } from "../ui/select.tsx";
import { Bar, Empty } from "../ui/states.tsx";
import { EndpointActs, type Open } from "./endpoint-acts.tsx";
import { EndpointItem } from "./endpoint-item.tsx";
import { WebhookTabs } from "./tabs.tsx";
import { words } from "./words.ts";

const { endpoints: say } = words;

/** The endpoints of one platform. */
export function EndpointsPage() {
  const { platform } = useSearch({ from: "/webhooks/endpoints" });
  const navigate = useNavigate();
  const { me, may } = useMe();
  const [open, setOpen] = useState<Open>();
  const only = me?.platforms.length === 1 ? me.platforms[0]?.platformId : undefined;
  const platformId = platform ?? only;
  const list = useQuery(
    api.webhooks.list.queryOptions(platformId === undefined ? skipToken : { platformId }),
  );
  return (
    <Page>
      <Head title={words.title} lead={words.lead}>
        {platformId !== undefined && may("ops.webhooks") && (
          <Button kind="primary" onClick={() => setOpen({ act: "create" })}>
            {say.create}
          </Button>
        )}
      </Head>
      <WebhookTabs />
      <div className="pb-3">
        <Select
          label={words.platform}
          value={platformId ?? ""}
          options={[
            { value: "", text: words.choosePlatform },
            ...(me?.platforms.map((each) => ({ value: each.platformId, text: each.name })) ?? []),
          ]}
          onChange={(next) =>
            void navigate({ to: "/webhooks/endpoints", search: next ? { platform: next } : {} })
          }
        />
      </div>
      {platformId === undefined ? (
        <Card>
          <Empty title={say.choose} text={say.chooseText} />
        </Card>
      ) : (
        <ListState
          query={list}
          empty={list.data?.endpoints.length === 0}
          nothing={{ title: say.empty, text: say.emptyText }}
        >
          {!list.data && <Bar className="m-4 h-16" />}
          <ul>
            {list.data?.endpoints.map((endpoint) => (
              <EndpointItem
                key={endpoint.endpointId}
                endpoint={endpoint}
                platformId={platformId}
                onAct={(act) => setOpen({ act, endpoint })}
                onChanged={() => void list.refetch()}
              />
            ))}
          </ul>
        </ListState>
      )}
      {open && platformId !== undefined && (
        <EndpointActs
          open={open}
          platformId={platformId}
          onOpen={setOpen}
          onDone={() => void list.refetch()}
        />
      )}
    </Page>
  );
}
