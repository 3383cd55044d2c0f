import { useMutation } from "@tanstack/react-query";
import { client } from "../api/client.ts";
import { useMe } from "../lib/use-me.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { words } from "../words.ts";
import { type ApiKey, nameOf } from "./keys-table.tsx";

const { apiKeys: say } = words;

interface Props {
  apiKey: ApiKey;
  onClose(): void;
  onRevoked(): void;
}

/** Revokes a key for ever, after its name is typed. */
export function RevokeKey({ apiKey: { keyId, name, prefix, platformId }, onClose, onRevoked }: Props) {
  const { platformName } = useMe();
  const mutation = useMutation({
    mutationFn: () => client.keys.revoke.mutate({ keyId }),
    onSuccess: () => {
      onRevoked();
      onClose();
    },
  });
  return (
    <ActDialog
      title={say.revokeTitle(name)}
      happens={say.revokeText(name, prefix, nameOf(platformId, platformName))}
      act={say.revoke}
      word={name}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      onClose={onClose}
    />
  );
}
