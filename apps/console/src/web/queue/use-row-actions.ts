import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../api/client.ts";
import { effectOf, shownError } from "../api/problem.ts";
import type { RecordRow } from "../api/shapes.ts";
import { shortId } from "../lib/ids.ts";
import { replyLine } from "../lib/reply.ts";
import type { Meaning } from "../lib/why.ts";
import { shared } from "../lib/words.ts";
import { patchRow, rowFields } from "./patch-row.ts";

const words = {
  assigned: (id: string) => `${id} is yours.`,
  taken: (name: string) => `${name} has it already.`,
  refreshing: "Asking the provider…",
} as const;

export interface RowResult {
  meaning: Meaning;
  text: string;
}

/** What a key does with a row, and what came of it: shown in the row, in place of why it is there. */
export function useRowActions(me: string | undefined) {
  const queries = useQueryClient();
  const [results, setResults] = useState<ReadonlyMap<string, RowResult>>(new Map());
  const [said, say] = useState("");
  const show = (id: string, meaning: Meaning, text: string) => {
    setResults((all) => new Map(all).set(id, { meaning, text }));
    say(`${shortId(id)}: ${text}`);
  };
  const showError = (id: string, error: unknown) =>
    show(id, "bad", `${shownError(error).message || shared.errors.offline} ${effectOf(error)}`);

  async function assign({ kycRecordId, assignmentVersion }: RecordRow) {
    if (me === undefined) return;
    try {
      const input = { kycRecordId, assignee: me, version: assignmentVersion };
      const { assignee, assignedRole, version } = await client.records.assign.mutate(input);
      patchRow(queries, kycRecordId, { assignee, assignedRole, assignmentVersion: version });
      say(words.assigned(shortId(kycRecordId)));
    } catch (error) {
      if (shownError(error).kind !== "conflict") return showError(kycRecordId, error);
      await showAssignee(kycRecordId).catch((unread) => showError(kycRecordId, unread));
    }
  }

  /** Shows who took the record meanwhile. */
  async function showAssignee(kycRecordId: string) {
    const { assignee, assignedRole, assignmentVersion } = await client.records.state.query({ kycRecordId });
    patchRow(queries, kycRecordId, { assignee, assignedRole, assignmentVersion });
    show(
      kycRecordId,
      "attention",
      words.taken(
        assignee?.name ?? (assignedRole ? shared.person.role[assignedRole] : shared.person.unnamed),
      ),
    );
  }

  async function refresh({ kycRecordId }: RecordRow) {
    show(kycRecordId, "waiting", words.refreshing);
    try {
      const { after, asked } = await client.records.refresh.mutate({ kycRecordId });
      if (after) patchRow(queries, kycRecordId, rowFields(after));
      show(kycRecordId, "plain", replyLine(asked, shared.record.result.asked));
    } catch (error) {
      showError(kycRecordId, error);
    }
  }

  return { results, said, assign, refresh };
}
