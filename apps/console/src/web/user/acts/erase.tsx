import { useState } from "react";
import { client } from "../../api/client.ts";
import { shortId } from "../../lib/ids.ts";
import { useFourEyes } from "../../lib/use-four-eyes.ts";
import { Proposed } from "../../proposals/proposed.tsx";
import { ActDialog } from "../../ui/act-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { NoteField } from "../../ui/note-field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { words } from "../../words.ts";
import { type ActProps, ActRow } from "./act-row.tsx";
import { useAct } from "./use-act.ts";

const { userActs: say } = words;

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
      name={say.erase}
      text={say.eraseText}
      danger
      button={
        <Button kind="toDanger" onClick={start}>
          {say.eraseOpen}
        </Button>
      }
    >
      {act.data && (
        <Proposed proposal={act.data.proposal} proposed={say.erasedProposed} done={say.erasedRequested} />
      )}
      <ActDialog
        {...act.dialog}
        title={say.eraseTitle}
        happens={(fourEyes ? say.eraseHappens : words.proposals.happens.erase)(
          shortId(externalUserId),
          platform,
        )}
        act={fourEyes ? say.eraseAct : say.eraseAlone}
        word={say.eraseWord}
        recent
        onAct={() => act.run(note)}
      >
        {held && <Notice meaning="attention">{say.eraseHeld}</Notice>}
        <NoteField value={note} onChange={setNote} />
      </ActDialog>
    </ActRow>
  );
}
