import type { PersonFacts } from "@cardbridge/trpc-client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, client } from "../api/client.ts";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { PlatformTabs } from "../platforms/tabs.tsx";
import { ActDialog } from "../ui/act-dialog.tsx";
import { Button } from "../ui/button.tsx";
import { Head } from "../ui/head.tsx";
import { ListState } from "../ui/list-state.tsx";
import { Page } from "../ui/page.tsx";
import { StateMark } from "../ui/state-mark.tsx";
import { type Column, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { MadeKeys } from "./made-keys.tsx";

const words = {
  title: "Persons",
  lead: "Who signed in to internal apps, last seen first. Roles come from your identity provider.",
  columns: { name: "Name", roles: "Roles", seen: "Last seen", acts: "Actions" },
  blocked: "blocked",
  block: "Block",
  blockOpen: "Block…",
  blockTitle: (name: string) => `Block ${name}`,
  blockText: (name: string) =>
    `Every call of ${name} is refused within a second, in every app. Sign-in at your identity provider stays possible: end it there too.`,
  word: "BLOCK",
  unblock: "End the block",
  unblockTitle: (name: string) => `End the block of ${name}`,
  unblockText: (name: string) => `${name} may call again, with the roles of the identity provider.`,
  keys: "Keys…",
  empty: "Nobody has signed in yet",
  emptyText: "A person comes here with the first call through an internal app.",
  you: "you",
  more: "Only the 200 last seen are shown.",
} as const;

const { columns: names } = words;

interface Open {
  act: "block" | "keys";
  person: PersonFacts;
}

/** Who signed in to internal apps. Administrators block a person here. */
export function PersonsPage() {
  const persons = useQuery(api.persons.list.queryOptions({}));
  const { me } = useMe();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
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
      {open?.act === "block" && (
        <BlockPerson
          person={open.person}
          onClose={close}
          onDone={() => {
            void persons.refetch();
            setOpen(open.person.blockedAt === null ? { act: "keys", person: open.person } : undefined);
          }}
        />
      )}
      {open?.act === "keys" && <MadeKeys person={open.person} onClose={close} />}
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
        <Button kind="quiet" onClick={() => onAct("keys")}>
          {words.keys}
        </Button>
      )}
      <Button
        kind="quiet"
        className={blocked ? "" : "-ml-3 text-bad as-table:ml-0"}
        onClick={() => onAct("block")}
      >
        {blocked ? words.unblock : words.blockOpen}
      </Button>
    </span>
  );
}

interface BlockProps {
  person: PersonFacts;
  onClose(): void;
  onDone(): void;
}

/** Blocks a person, or ends the block. */
function BlockPerson({ person: { personId, name, blockedAt }, onClose, onDone }: BlockProps) {
  const blocked = blockedAt === null;
  const who = name ?? personId;
  const mutation = useMutation({
    mutationFn: () => client.persons.block.mutate({ personId, blocked }),
    onSuccess: onDone,
  });
  return (
    <ActDialog
      title={blocked ? words.blockTitle(who) : words.unblockTitle(who)}
      happens={blocked ? words.blockText(who) : words.unblockText(who)}
      act={blocked ? words.block : words.unblock}
      {...(blocked ? { word: words.word } : { recent: true })}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      onClose={onClose}
    />
  );
}
