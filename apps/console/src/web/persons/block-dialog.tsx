import type { PersonFacts } from "@cardbridge/trpc-client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, client } from "../api/client.ts";
import { words as keysWords } from "../keys/words.ts";
import { useMe } from "../lib/use-me.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { ActError } from "../ui/act-error.tsx";
import { Check } from "../ui/form-fields.tsx";
import { Time } from "../ui/time.tsx";

const words = {
  block: "Block",
  title: (name: string) => `Block ${name}`,
  text: (name: string) =>
    `Every call of ${name} is refused within a second, in every app. Sign-in at your identity provider stays possible: end it there too.`,
  word: "BLOCK",
  keys: (name: string) => `Keys that ${name} made, and that still work:`,
  noKeys: (name: string) => `${name} has made no key that still works.`,
  used: "last used",
  revoke: "Revoke these keys too. It cannot be taken back.",
  keysTitle: (name: string) => `Keys that ${name} made`,
  keysAct: "Revoke these",
  keysWord: "REVOKE",
  unblock: "End the block",
  unblockTitle: (name: string) => `End the block of ${name}`,
  unblockText: (name: string) => `${name} may call again, with the roles of the identity provider.`,
} as const;

interface Props {
  person: PersonFacts;
  onClose(): void;
}

/** Blocks a person, and with a tick revokes the keys that the person made. Of a blocked person, it revokes the keys. */
export function BlockPerson({ person: { personId, name, blockedAt }, onClose }: Props) {
  const { platformName } = useMe();
  const who = name ?? personId;
  // Once the block is done, only the keys are left, also if their revocation fails.
  const [blocked, setBlocked] = useState(blockedAt !== null);
  const [ticked, setTicked] = useState(blocked);
  const keys = useQuery(api.keys.list.queryOptions({ createdBy: personId, state: "live" }));
  const made = keys.data?.keys ?? [];
  const mutation = useMutation({
    mutationFn: async () => {
      if (!blocked) await client.persons.block.mutate({ personId, blocked: true });
      setBlocked(true);
      if (ticked) for (const { keyId } of made) await client.keys.revoke.mutate({ keyId });
    },
    onSuccess: onClose,
    onError: () => keys.refetch(),
  });
  return (
    <ActDialog
      title={blocked ? words.keysTitle(who) : words.title(who)}
      happens={blocked ? undefined : words.text(who)}
      act={blocked ? words.keysAct : words.block}
      word={blocked ? words.keysWord : words.word}
      ready={blocked ? made.length > 0 : !keys.isPending}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      onClose={onClose}
    >
      <ActError error={keys.error} reads />
      {keys.data && <p>{made.length === 0 ? words.noKeys(who) : words.keys(who)}</p>}
      <ul className="flex flex-col gap-2 empty:hidden">
        {made.map((key) => (
          <li key={key.keyId} className="wrap-break-word">
            <span className="font-medium">{key.name}</span> <span className="mono">{key.prefix}…</span>
            <span className="block text-13 text-muted">
              {key.platformId === "internal" ? keysWords.internal : platformName(key.platformId)} ·{" "}
              {words.used} {key.lastUsedAt === null ? keysWords.never : <Time at={key.lastUsedAt} />}
            </span>
          </li>
        ))}
      </ul>
      {!blocked && made.length > 0 && (
        <Check checked={ticked} onChange={setTicked}>
          {words.revoke}
        </Check>
      )}
    </ActDialog>
  );
}

/** Ends the block of a person. */
export function UnblockPerson({ person: { personId, name }, onClose }: Props) {
  const who = name ?? personId;
  const mutation = useMutation({
    mutationFn: () => client.persons.block.mutate({ personId, blocked: false }),
    onSuccess: onClose,
  });
  return (
    <ActDialog
      title={words.unblockTitle(who)}
      happens={words.unblockText(who)}
      act={words.unblock}
      recent
      mutation={mutation}
      onAct={() => mutation.mutate()}
      onClose={onClose}
    />
  );
}
