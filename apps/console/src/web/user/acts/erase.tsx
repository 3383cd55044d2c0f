import { useState } from "react";
import { client } from "../../api/client.ts";
import { shortId } from "../../lib/ids.ts";
import { useFourEyes } from "../../lib/use-four-eyes.ts";
import { shared } from "../../lib/words.ts";
import { Proposed } from "../../proposals/proposed.tsx";
import { ActDialog } from "../../ui/act-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { NoteField } from "../../ui/note-field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { type ActProps, ActRow } from "./act-row.tsx";
import { useAct } from "./use-act.ts";

const words = {
  erase: "Erase",
  eraseText: "Erase all personal data of this user for ever.",
  eraseOpen: "Erase…",
  eraseTitle: "Erase this user?",
  eraseHappens: (id: string, platform: string) =>
    `This proposes to erase all personal data of ${id} of ${platform} for ever. Another person confirms it within 24 hours, and nobody can bring it back afterwards.`,
  eraseHeld: "A legal hold covers this user. The erasure waits until it ends.",
  eraseWord: "ERASE",
  eraseAct: "Propose the erasure",
  eraseAlone: "Erase the user",
  erasedProposed: "The erasure is proposed.",
  erasedRequested: "The erasure is requested. A worker erases the user within two minutes.",
} as const;

/** Erases a user, after another person confirmed it if there is one. Nobody can take it back once it is done. */
export function EraseUser({ user, platform }: ActProps) {
  const { platformId, externalUserId, version, held } = user;
  const fourEyes = useFourEyes();
  const [note, setNote] = useState("");
  const act = useAct((text: string) =>
    client.users.erase.mutate({
      platformId,
      externalUserId,
      version,
      ...(text.trim() !== "" && { note: text.trim() }),
    }),
  );
  const start = () => {
    setNote("");
    act.start();
  };
  return (
    <ActRow
      name={words.erase}
      text={words.eraseText}
      danger
      button={
        <Button kind="toDanger" onClick={start}>
          {words.eraseOpen}
        </Button>
      }
    >
      {act.data && (
        <Proposed proposal={act.data.proposal} proposed={words.erasedProposed} done={words.erasedRequested} />
      )}
      <ActDialog
        {...act.dialog}
        title={words.eraseTitle}
        happens={(fourEyes ? words.eraseHappens : shared.proposals.happens.erase)(
          shortId(externalUserId),
          platform,
        )}
        act={fourEyes ? words.eraseAct : words.eraseAlone}
        word={words.eraseWord}
        recent
        onAct={() => act.run(note)}
      >
        {held && <Notice meaning="attention">{words.eraseHeld}</Notice>}
        <NoteField value={note} onChange={setNote} />
      </ActDialog>
    </ActRow>
  );
}
