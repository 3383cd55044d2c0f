import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../api/client.ts";
import { exactTime } from "../lib/age.ts";
import { shared } from "../lib/words.ts";
import { ActDialog } from "../ui/act-dialog.tsx";
import { ChoiceField } from "../ui/form-fields.tsx";
import { SecretDialog } from "../ui/secret-dialog.tsx";
import type { Endpoint } from "./describe.ts";
import { EndpointDialog } from "./endpoint-dialog.tsx";
import { words } from "./words.ts";

const { endpoints: say } = words;
const overlaps = ["0", "1", "24", "168", "720"] as const;

/** What is open over a view of endpoints. */
export type Open =
  | { act: "create" }
  | { act: "edit" | "rotate" | "disable" | "delete"; endpoint: Endpoint }
  | { act: "secret"; title: string; secret: string; text?: string };

interface Props {
  open: Open;
  /** Absent for a new one whose platform is to be chosen. */
  platformId: string | undefined;
  onOpen(open: Open | undefined): void;
  onDone(): void;
}

/** The dialog of an act on an endpoint. */
export function EndpointActs({ open, platformId, onOpen, onDone }: Props) {
  const close = () => onOpen(undefined);
  const done = () => {
    onDone();
    close();
  };
  const show = (title: string, secret: string, text?: string) => {
    onDone();
    onOpen({ act: "secret", title, secret, ...(text !== undefined && { text }) });
  };
  if (open.act === "secret") return <SecretDialog {...open} onClose={close} />;
  if (open.act === "create" || open.act === "edit") {
    return (
      <EndpointDialog
        {...(platformId !== undefined && { platformId })}
        {...(open.act === "edit" && { endpoint: open.endpoint })}
        onClose={close}
        onDone={(secret) => (secret === undefined ? done() : show(say.createdTitle, secret))}
      />
    );
  }
  if (platformId === undefined) return null;
  const shared = { platformId, endpoint: open.endpoint, onClose: close };
  if (open.act === "rotate") {
    const shown = (secret: string, until: string | null) =>
      show(say.secretTitle, secret, until === null ? undefined : say.secretText(exactTime(until)));
    return <RotateSecret {...shared} onRotated={shown} />;
  }
  return <EndEndpoint {...shared} act={open.act} onDone={done} />;
}

interface ActProps {
  platformId: string;
  endpoint: Endpoint;
  onClose(): void;
}

function RotateSecret({
  platformId,
  endpoint: { endpointId },
  onClose,
  onRotated,
}: ActProps & { onRotated(secret: string, until: string | null): void }) {
  const [hours, setHours] = useState<(typeof overlaps)[number]>("24");
  const mutation = useMutation({
    // The secret leaves the memory with its dialog.
    gcTime: 0,
    mutationFn: () =>
      client.webhooks.rotateSecret.mutate({ platformId, endpointId, overlapHours: Number(hours) }),
    onSuccess: ({ secret, previousSecretUntil }) => onRotated(secret, previousSecretUntil),
  });
  return (
    <ActDialog
      title={say.rotateTitle}
      happens={say.rotateText}
      act={say.rotate}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      onClose={onClose}
    >
      <ChoiceField
        label={say.overlap}
        value={hours}
        options={overlaps.map((value) => ({ value, text: shared.apiKeys.overlapOf[value] }))}
        onChange={(next) => setHours(next as typeof hours)}
      />
    </ActDialog>
  );
}

/** Disables an endpoint, or deletes it for ever. */
function EndEndpoint({
  platformId,
  endpoint: { endpointId, url },
  act,
  onClose,
  onDone,
}: ActProps & { act: "disable" | "delete"; onDone(): void }) {
  const gone = act === "delete";
  const reference = { platformId, endpointId };
  const mutation = useMutation({
    mutationFn: async (): Promise<void> => {
      if (gone) await client.webhooks.delete.mutate(reference);
      else await client.webhooks.update.mutate({ ...reference, enabled: false });
    },
    onSuccess: onDone,
  });
  return (
    <ActDialog
      title={gone ? say.removeTitle : say.disableTitle}
      happens={gone ? say.removeText(url) : say.disableText(url)}
      act={gone ? say.remove : say.disable}
      {...(gone && { word: say.word })}
      mutation={mutation}
      onAct={() => mutation.mutate()}
      onClose={onClose}
    />
  );
}
