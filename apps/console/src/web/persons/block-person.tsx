import { useMutation } from "@tanstack/react-query";
import { client } from "../api/client.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import type { Person } from "./persons-page.tsx";
import { words } from "./words.ts";

interface Props {
  person: Person;
  onClose(): void;
  onDone(): void;
}

/** Blocks a person, or ends the block. */
export function BlockPerson({ person: { personId, name, blockedAt }, onClose, onDone }: Props) {
  const blocked = blockedAt === null;
  const who = name ?? personId;
  const mutation = useMutation({
    mutationFn: () => client.persons.block.mutate({ personId, blocked }),
    onSuccess: () => {
      onDone();
      onClose();
    },
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
