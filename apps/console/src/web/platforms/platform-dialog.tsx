import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../api/client.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { TextField } from "../ui/form-fields.tsx";
import { words } from "../words.ts";

const { platforms: say } = words;

interface Props {
  /** Absent for a new one. */
  platform?: { platformId: string; name: string };
  onClose(): void;
  onDone(): void;
}

/** Creates a platform, or renames one. */
export function PlatformDialog({ platform, onClose, onDone }: Props) {
  const [name, setName] = useState(platform?.name ?? "");
  const mutation = useMutation({
    mutationFn: () =>
      platform
        ? client.platforms.rename.mutate({ platformId: platform.platformId, name: name.trim() })
        : client.platforms.create.mutate({ name: name.trim() }),
    onSuccess: () => {
      onDone();
      onClose();
    },
  });
  return (
    <ActDialog
      title={platform ? say.renameTitle(platform.name) : say.create}
      happens={platform ? say.renameText : say.createText}
      act={platform ? say.rename : say.create}
      ready={name.trim() !== "" && name.trim() !== platform?.name}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      onClose={onClose}
    >
      <TextField label={say.name} value={name} maxLength={64} required onChange={setName} />
    </ActDialog>
  );
}
