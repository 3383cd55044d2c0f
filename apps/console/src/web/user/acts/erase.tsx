import { useState } from "react";
import { client } from "../../api/client.ts";
import { shortId } from "../../lib/ids.ts";
import { useFourEyes } from "../../lib/use-four-eyes.ts";
import { shared } from "../../lib/words.ts";
import { Proposed } from "../../proposals/proposed.tsx";
import { NoteField } from "../../ui/note-field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Act, type ActProps } from "./act.tsx";

const words = {
  name: "Erase",
  text: "Erase all personal data of this user for ever.",
  open: "Erase…",
  title: "Erase this user?",
  happens: (id: string, platform: string) =>
    `This proposes to erase all personal data of ${id} of ${platform} for ever. Another person confirms it within 24 hours, and nobody can bring it back afterwards.`,
  held: "A legal hold covers this user. The erasure waits until it ends.",
  word: "ERASE",
  act: "Propose the erasure",
  alone: "Erase the user",
  proposed: "The erasure is proposed.",
  requested: "The erasure is requested. A worker erases the user within two minutes.",
} as const;

/** Erases a user, after another person confirmed it if there is one. Nobody can take it back once it is done. */
export function EraseUser({ user: { platformId, externalUserId, version, held }, platform }: ActProps) {
  const fourEyes = useFourEyes();
  const [note, setNote] = useState("");
  const happens = fourEyes ? words.happens : shared.proposals.happens.erase;
  return (
    <Act
      {...words}
      danger
      happens={happens(shortId(externalUserId), platform)}
      act={fourEyes ? words.act : words.alone}
      recent
      onStart={() => setNote("")}
      run={() =>
        client.users.erase.mutate({
          ...{ platformId, externalUserId, version },
          ...(note.trim() !== "" && { note: note.trim() }),
        })
      }
      result={({ proposal }) => (
        <Proposed proposal={proposal} proposed={words.proposed} done={words.requested} />
      )}
    >
      {held && <Notice meaning="attention">{words.held}</Notice>}
      <NoteField value={note} onChange={setNote} />
    </Act>
  );
}
