import type { PersonFacts } from "@cardbridge/trpc-client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { api, client } from "../api/client.ts";
import { words as keysWords } from "../keys/words.ts";
import { useMe } from "../lib/use-me.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { ActError } from "../ui/act-error.tsx";
import { Time } from "../ui/time.tsx";

const words = {
  keysTitle: (name: string) => `Keys that ${name} made`,
  keysText: "These keys still work. Revoke them unless somebody else needs them. It cannot be taken back.",
  noKeys: (name: string) => `${name} has made no key that still works.`,
  used: "last used",
  revokeThese: "Revoke these",
  revokeWord: "REVOKE",
} as const;

interface Props {
  person: PersonFacts;
  onClose(): void;
}

/** The keys that a blocked person made and that still work, with one button that revokes them. */
export function MadeKeys({ person: { personId, name }, onClose }: Props) {
  const { platformName } = useMe();
  const who = name ?? personId;
  const keys = useQuery(api.keys.list.queryOptions({ createdBy: personId, state: "live" }));
  const made = keys.data?.keys ?? [];
  const mutation = useMutation({
    mutationFn: async () => {
      for (const { keyId } of made) await client.keys.revoke.mutate({ keyId });
    },
    // What is left is listed again, also after a failure in between.
    onSettled: () => keys.refetch(),
  });
  return (
    <ActDialog
      title={words.keysTitle(who)}
      happens={keys.data && (made.length === 0 ? words.noKeys(who) : words.keysText)}
      act={words.revokeThese}
      ready={made.length > 0}
      {...(made.length > 0 && { word: words.revokeWord })}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      onClose={onClose}
    >
      <ActError error={keys.error} reads />
      <ul className="flex flex-col gap-2">
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
    </ActDialog>
  );
}
