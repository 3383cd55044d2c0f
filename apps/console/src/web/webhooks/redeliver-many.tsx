import type { RouterInputs } from "@cardbridge/trpc-client";
import { client } from "../api/client.ts";
import { BatchDialog } from "../ui/batch-dialog.tsx";
import { words } from "./words.ts";

const { many: say } = words;

interface Props {
  filter: Omit<RouterInputs["webhooks"]["redeliverMany"], "preview" | "limit">;
  onClose(done: number): void;
}

/** Sends the failed deliveries of a filter again, in bounded calls. */
export const RedeliverMany = ({ filter, onClose }: Props) => (
  <BatchDialog
    title={say.title}
    text={say.text}
    act={say.act}
    matching={(count, exact, n) => say.matching(count, exact, n === 1)}
    done={(count, n) => say.done(count, n === 1)}
    call={async (preview) => {
      const input = { ...filter, preview, limit: 200 };
      const { matching, redelivered, more } = await client.webhooks.redeliverMany.mutate(input);
      return { matching, done: redelivered, more };
    }}
    onClose={onClose}
  />
);
