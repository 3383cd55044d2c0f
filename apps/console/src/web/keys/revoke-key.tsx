import { useMutation } from "@tanstack/react-query";
import { client } from "../api/client.ts";
import { useMe } from "../lib/use-me.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { type ApiKey, nameOf } from "./keys-table.tsx";

const words = {
  revoke: "Revoke",
  revokeTitle: (name: string) => `Revoke ${name}`,
  revokeText: (name: string, prefix: string, platform: string) =>
    `Every call of ${platform} with the key “${name}”, which begins with ${prefix}, is refused within a second. This cannot be taken back.`,
} as const;

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
      title={words.revokeTitle(name)}
      happens={words.revokeText(name, prefix, nameOf(platformId, platformName))}
      act={words.revoke}
      word={name}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      onClose={onClose}
    />
  );
}
