import { useMutation } from "@tanstack/react-query";
import { client } from "../api/client.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { words } from "../words.ts";
import type { Person } from "./persons-page.tsx";

const { persons: say } = words;

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
      title={blocked ? say.blockTitle(who) : say.unblockTitle(who)}
      happens={blocked ? say.blockText(who) : say.unblockText(who)}
      act={blocked ? say.block : say.unblock}
      {...(blocked ? { word: say.word } : { recent: true })}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      onClose={onClose}
    />
  );
}
