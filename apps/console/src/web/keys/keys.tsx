import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api/client.ts";
import { Button } from "../ui/button.tsx";
import { ListState } from "../ui/list-state.tsx";
import { SecretDialog } from "../ui/secret-dialog.tsx";
import { Section } from "../ui/section.tsx";
import { CreateKey } from "./create-key.tsx";
import { RevokeKey, RotateKey } from "./key-acts.tsx";
import { type ApiKey, KeysTable } from "./keys-table.tsx";
import { words as keysWords } from "./words.ts";

const words = {
  create: "New key",
  created: (name: string) => `Key ${name} is created`,
  rotated: (name: string) => `${name} has a successor`,
  empty: "No keys",
  emptyText: "A key lets the platform’s servers call the service. Create the first one.",
  more: "Only the first 200 are shown. The command line lists them all.",
} as const;

/** What is open over the keys. */
type Open =
  | { act: "create" }
  | { act: "rotate" | "revoke"; key: ApiKey }
  | { act: "show"; title: string; secret: string; text?: string };

/** The keys of a platform or of the internal apps, and what is done with them. */
export function Keys({ platformId, owner }: { platformId: string; owner: string }) {
  const keys = useQuery(api.keys.list.queryOptions({ platformId }));
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const done = (next?: Open) => {
    setOpen(next);
    void keys.refetch();
  };
  return (
    <Section
      title={keysWords.title}
      aside={<Button onClick={() => setOpen({ act: "create" })}>{words.create}</Button>}
    >
      <ListState
        query={keys}
        empty={keys.data?.keys.length === 0}
        nothing={{ title: words.empty, text: words.emptyText }}
      >
        <KeysTable keys={keys.data?.keys} onAct={(act, key) => setOpen({ act, key })} />
      </ListState>
      {keys.data?.more && <p className="mt-3 text-13 text-muted">{words.more}</p>}
      {open?.act === "create" && (
        <CreateKey
          {...{ platformId, owner }}
          onClose={close}
          onCreated={({ name, key }) => done({ act: "show", title: words.created(name), secret: key })}
        />
      )}
      {open?.act === "rotate" && (
        <RotateKey
          apiKey={open.key}
          onClose={close}
          onRotated={(secret, text) =>
            done({ act: "show", title: words.rotated(open.key.name), secret, text })
          }
        />
      )}
      {open?.act === "revoke" && (
        <RevokeKey apiKey={open.key} owner={owner} onClose={close} onRevoked={() => done()} />
      )}
      {open?.act === "show" && <SecretDialog {...open} onClose={close} />}
    </Section>
  );
}
