import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, client } from "../api/client.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { TextField } from "../ui/form-fields.tsx";

const words = {
  create: "New platform",
  createText: "It begins without users and without keys. Its id is made for you.",
  rename: "Rename",
  renameTitle: (name: string) => `Rename ${name}`,
  renameText: "Its id, its users and its keys stay the same.",
  name: "Name",
} as const;

interface Props {
  /** Absent for a new one. */
  platform?: { platformId: string; name: string };
  onClose(): void;
  onDone(platformId: string): void;
}

/** Creates a platform, or renames one. */
export function PlatformDialog({ platform, onClose, onDone }: Props) {
  const [name, setName] = useState(platform?.name ?? "");
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: () =>
      platform
        ? client.platforms.rename.mutate({ platformId: platform.platformId, name: name.trim() })
        : client.platforms.create.mutate({ name: name.trim() }),
    onSuccess: ({ platformId }) => {
      void queries.invalidateQueries(api.platforms.list.queryFilter());
      // Forms offer the platforms of the person.
      void queries.invalidateQueries(api.persons.me.queryFilter());
      onDone(platformId);
    },
  });
  return (
    <ActDialog
      title={platform ? words.renameTitle(platform.name) : words.create}
      happens={platform ? words.renameText : words.createText}
      act={platform ? words.rename : words.create}
      ready={name.trim() !== "" && name.trim() !== platform?.name}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      onClose={onClose}
    >
      <TextField label={words.name} value={name} maxLength={64} required onChange={setName} />
    </ActDialog>
  );
}
