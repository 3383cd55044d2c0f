import type { RouterOutputs } from "@cardbridge/trpc-client";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../api/client.ts";
import { useMe } from "../lib/use-me.ts";
import { shared } from "../lib/words.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { ChoiceField, TextField } from "../ui/form-fields.tsx";
import { type Days, Expiry, expiryOf } from "./expiry.tsx";
import { type KeyScope, Scopes } from "./scopes.tsx";
import { words } from "./words.ts";

interface Props {
  platform: string | undefined;
  onClose(): void;
  onCreated(created: RouterOutputs["keys"]["create"]): void;
}

/** Creates a key for a platform or for an internal app. */
export function CreateKey({ platform, onClose, onCreated }: Props) {
  const { me } = useMe();
  const [platformId, setPlatformId] = useState(platform ?? me?.platforms[0]?.platformId ?? "internal");
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<KeyScope[]>([]);
  const [days, setDays] = useState<Days>("90");
  const mutation = useMutation({
    // The secret leaves the memory with its dialog.
    gcTime: 0,
    mutationFn: () =>
      client.keys.create.mutate({
        ...{ platformId, name: name.trim(), scopes },
        expiresAt: expiryOf(days, platformId === "internal"),
      }),
    onSuccess: onCreated,
  });
  const options = [
    ...(me?.platforms.map((each) => ({ value: each.platformId, text: each.name })) ?? []),
    { value: "internal", text: shared.platforms.internal },
  ];
  const holder = options.find(({ value }) => value === platformId)?.text;
  return (
    <ActDialog
      title={words.create}
      happens={words.createText(holder)}
      act={words.create}
      ready={holder !== undefined && name.trim() !== "" && scopes.length > 0}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      recent
      onClose={onClose}
    >
      <ChoiceField
        label={words.platform}
        value={platformId}
        options={options}
        onChange={(next) => {
          setPlatformId(next);
          if (next !== "internal") setScopes(scopes.filter((scope) => !scope.startsWith("ops.")));
        }}
      />
      <TextField label={words.name} help={words.nameHint} value={name} maxLength={64} onChange={setName} />
      <Scopes internal={platformId === "internal"} chosen={scopes} onChange={setScopes} />
      <Expiry value={days} internal={platformId === "internal"} onChange={setDays} />
    </ActDialog>
  );
}
