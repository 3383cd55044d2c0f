import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, background } from "../api/client.ts";
import { useSession } from "../api/session.ts";
import { useMe } from "../lib/use-me.ts";
import { type Pause, useReadPausesAgain } from "../lib/use-pauses.ts";
import { EnvironmentWord } from "../shell/environment.tsx";
import { Button } from "../ui/button.tsx";
import { ListState } from "../ui/list-state.tsx";
import { Page, usePageTitle } from "../ui/page.tsx";
import { Card, Section } from "../ui/section.tsx";
import { Bar, ErrorState } from "../ui/states.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { EncryptionKeys } from "./encryption-keys.tsx";
import { PauseDialog } from "./pause-dialog.tsx";
import { PausesTable } from "./pauses-table.tsx";
import { Processes } from "./processes.tsx";
import { ResumeDialog } from "./resume-dialog.tsx";
import { ServiceFacts, type Status } from "./service-facts.tsx";
import { words } from "./words.ts";

const columns: Column<Shown["fields"][number]>[] = [
  { name: words.fieldColumns.field, cell: ({ field }) => <span className="mono">{field}</span> },
  { name: words.fieldColumns.limits, wide: true, cell: ({ limits }) => <span>{limits}</span> },
];

/** The configured limits, by the names of their variables. */
const Limits = ({ limits }: { limits: Status["limits"] }) => (
  <Section title={words.limits}>
    <Card>
      {limits.length === 0 ? (
        <p className="px-4 py-2 text-muted">{words.noLimits}</p>
      ) : (
        <dl>
          {limits.map(({ name, value }) => (
            <div
              key={name}
              className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 border-t border-line px-4 py-1 first:border-t-0"
            >
              <dt className="mono break-all text-muted">{name}</dt>
              <dd className="ml-auto tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  </Section>
);

/** The service itself: its environment, pauses, processes, provider, limits and encryption keys. */
export function SystemPage() {
  usePageTitle(words.title);
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

/** Which environment this is, before anything else. */
function EnvironmentHead() {
  const session = useSession();
  const environment = session.state === "signed-in" ? session.session.environment : "live";
  return (
    <div className="mb-5">
      <h1 className="flex items-center gap-3 text-20 font-semibold tracking-tight">
        {words.title}
        <EnvironmentWord environment={environment} />
      </h1>
      <p className="text-muted">{words.environmentText[environment]}</p>
    </div>
  );
}

type Shown = Status["provider"]["capabilities"];

/** What of a submission reaches the provider. Only the fields that it does not support in full are listed. */
function Capabilities({ capabilities: { files, fields } }: { capabilities: Shown }) {
  return (
    <Section title={words.capabilities}>
      <Card>
        <p className="px-4 py-2 text-muted">
          {files} {fields.length === 0 && words.allFields}
        </p>
        {fields.length > 0 && (
          <div className="border-t border-line">
            <Table label={words.capabilities} columns={columns} rows={fields} keyOf={({ field }) => field} />
          </div>
        )}
      </Card>
    </Section>
  );
}

type Open = { act: "pause"; target: "provider" | "platform" } | { act: "resume"; pause: Pause };

/** The operators' brakes: what is paused and was, and for those who may, pausing and resuming. */
function Pauses() {
  const pauses = useQuery({
    ...api.pauses.list.queryOptions({ limit: 20 }, background),
    refetchInterval: 30_000,
  });
  const { may } = useMe();
  const readAgain = useReadPausesAgain();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const mayPause = may("ops.pauses");
  return (
    <div id="pauses" className="scroll-mt-20">
      <Section
        title={words.pauses}
        aside={
          mayPause && (
            <span className="flex flex-wrap justify-end gap-2">
              <Button onClick={() => setOpen({ act: "pause", target: "platform" })}>
                {words.pausePlatform}
              </Button>
              <Button onClick={() => setOpen({ act: "pause", target: "provider" })}>
                {words.pauseProvider}
              </Button>
            </span>
          )
        }
      >
        <ListState
          query={pauses}
          empty={pauses.data?.pauses.length === 0}
          nothing={{ title: words.noPauses, text: words.noPausesText }}
        >
          <PausesTable
            pauses={pauses.data?.pauses}
            {...(mayPause && { onResume: (pause: Pause) => setOpen({ act: "resume", pause }) })}
          />
        </ListState>
      </Section>
      {open?.act === "pause" && (
        <PauseDialog target={open.target} onClose={close} onDone={() => void readAgain()} />
      )}
      {open?.act === "resume" && (
        <ResumeDialog pause={open.pause} onClose={close} onDone={() => void readAgain()} />
      )}
    </div>
  );
}
