import type { PersonFacts } from "@cardbridge/trpc-client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api/client.ts";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { PlatformTabs } from "../platforms/tabs.tsx";
import { Button } from "../ui/button.tsx";
import { Head } from "../ui/head.tsx";
import { ListState } from "../ui/list-state.tsx";
import { Page } from "../ui/page.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { BlockPerson, UnblockPerson } from "./block-dialog.tsx";

const words = {
  title: "Persons",
  lead: "Who signed in to internal apps, last seen first. Roles come from your identity provider.",
  columns: { name: "Name", roles: "Roles", seen: "Last seen", acts: "Actions" },
  blocked: "blocked",
  block: "Block…",
  unblock: "End the block",
  keys: "Keys…",
  empty: "Nobody has signed in yet",
  emptyText: "A person comes here with the first call through an internal app.",
  you: "you",
  more: "Only the 200 last seen are shown.",
} as const;

const { columns: names } = words;

interface Open {
  act: "block" | "unblock";
  person: PersonFacts;
}

/** Who signed in to internal apps. Administrators block a person here. */
export function PersonsPage() {
  const persons = useQuery(api.persons.list.queryOptions({}));
  const { me } = useMe();
  const [open, setOpen] = useState<Open>();
  const close = () => {
    void persons.refetch();
    setOpen(undefined);
  };
  const columns: Column<PersonFacts>[] = [
    {
      name: names.name,
      wide: true,
      cell: ({ name, personId }) => <span title={personId}>{name ?? shared.person.unnamed}</span>,
    },
    {
      name: names.roles,
      cell: ({ roles }) => roles.map((role) => shared.person.role[role]).join(", ") || shared.none,
    },
    { name: names.seen, right: true, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
    {
      name: names.acts,
      quiet: true,
      cell: (person) =>
        person.personId === me?.personId ? (
          <span className="block text-muted as-table:px-3 as-table:text-right">{words.you}</span>
        ) : (
          <Acts person={person} onAct={(act) => setOpen({ act, person })} />
        ),
    },
  ];
  return (
    <Page>
      <Head title={words.title} lead={words.lead} />
      <PlatformTabs />
      <ListState
        query={persons}
        empty={persons.data?.persons.length === 0}
        nothing={{ title: words.empty, text: words.emptyText }}
      >
        <Table
          label={words.title}
          columns={columns}
          rows={persons.data?.persons}
          keyOf={({ personId }) => personId}
        />
      </ListState>
      {persons.data?.more && <p className="mt-3 text-13 text-muted">{words.more}</p>}
      {open?.act === "block" && <BlockPerson person={open.person} onClose={close} />}
      {open?.act === "unblock" && <UnblockPerson person={open.person} onClose={close} />}
    </Page>
  );
}

/** The block of a person, or what is left to do once there is one. */
function Acts({ person: { blockedAt }, onAct }: { person: PersonFacts; onAct(act: Open["act"]): void }) {
  const blocked = blockedAt !== null;
  return (
    <span className="flex flex-wrap items-center as-table:flex-nowrap as-table:justify-end">
      {blocked && <StateMark meaning="bad" word={words.blocked} />}
      {blocked && (
        <Button kind="quiet" onClick={() => onAct("block")}>
          {words.keys}
        </Button>
      )}
      <Button
        kind="quiet"
        className={blocked ? "" : "-ml-3 text-bad as-table:ml-0"}
        onClick={() => onAct(blocked ? "unblock" : "block")}
      >
        {blocked ? words.unblock : words.block}
      </Button>
    </span>
  );
}
