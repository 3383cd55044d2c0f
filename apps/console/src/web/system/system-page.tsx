import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { useMe } from "../lib/use-me.ts";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Card } from "../ui/section.tsx";
import { Bar, ErrorState } from "../ui/states.tsx";
import { words } from "../words.ts";
import { Capabilities } from "./capabilities.tsx";
import { EncryptionKeys } from "./encryption-keys.tsx";
import { EnvironmentHead } from "./environment-head.tsx";
import { Limits } from "./limits.tsx";
import { Pauses } from "./pauses.tsx";
import { Processes } from "./processes.tsx";
import { ServiceFacts } from "./service-facts.tsx";

const { system: say } = words;

/** The service itself: its environment, pauses, processes, provider, limits and encryption keys. */
export function SystemPage() {
  usePageTitle(say.title);
  const { may } = useMe();
  const status = useQuery(api.service.status.queryOptions({}));
  return (
    <Page>
      <EnvironmentHead />
      <div className="flex flex-col gap-6">
        <Pauses />
        {status.error ? (
          <Card>
            <ErrorState error={status.error} onRetry={() => void status.refetch()} />
          </Card>
        ) : !status.data ? (
          <Bar className="h-48 w-full" />
        ) : (
          <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-2">
            <ServiceFacts status={status.data} />
            <Limits limits={status.data.limits} />
          </div>
        )}
        {may("ops.platforms") && <Processes />}
        {status.data && <Capabilities capabilities={status.data.provider.capabilities} />}
        {may("ops.encryption") && <EncryptionKeys />}
      </div>
    </Page>
  );
}
