import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../api/client.ts";
import { Keys } from "../keys/keys.tsx";
import { words as keysWords } from "../keys/words.ts";
import { shortTime } from "../lib/age.ts";
import { useMe } from "../lib/use-me.ts";
import { useActivePauses } from "../lib/use-pauses.ts";
import { shared } from "../lib/words.ts";
import { PauseDialog, ResumeDialog } from "../system/pause-dialogs.tsx";
import { Back } from "../ui/back.tsx";
import { Button } from "../ui/button.tsx";
import { Head } from "../ui/head.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page } from "../ui/page.tsx";
import { PlatformEndpoints } from "../webhooks/platform-endpoints.tsx";
import { PlatformDialog } from "./platform-dialog.tsx";
import { PlatformFacts } from "./platform-facts.tsx";

const words = {
  back: "Platforms",
  missing: "No such platform",
  missingText: "The address is wrong. Open the platform from the list.",
  internalLead: "Apps of your own, such as this console. They call for every platform.",
  rename: "Rename",
  pause: "Pause…",
  paused: (until: string, name: string, reason: string) =>
    `Paused until ${until} by ${name}: all calls are refused. Why: ${reason}`,
  resume: "Resume…",
} as const;

/** A platform with its keys, endpoints, pause and limits; for the internal apps, their keys. */
export function PlatformPage() {
  const { platformId } = useParams({ from: "/platforms/$platformId" });
  const { may, platformName } = useMe();
  const [open, setOpen] = useState<"rename" | "pause" | "resume">();
  const pause = useActivePauses().data?.pauses.find((each) => each.platformId === platformId);
  const close = () => setOpen(undefined);
  const isInternal = platformId === "internal";
  const { data: list, isFetching } = useQuery({
    ...api.platforms.list.queryOptions({}),
    enabled: !isInternal && may("ops.platforms"),
  });
  const facts = list?.platforms.find((each) => each.platformId === platformId);
  const name = isInternal ? keysWords.internal : (facts?.name ?? platformName(platformId));
  const platform = { platformId, name };
  const back = <Back name={words.back} link={{ to: "/platforms" }} />;
  // The list ends after 200, and a new platform is not in it before it is read again.
  if (list && !facts && !list.more && !isFetching) {
    return (
      <Page>
        {back}
        <Head title={words.missing} lead={words.missingText} />
      </Page>
    );
  }
  return (
    <Page>
      {back}
      <Head title={name} {...(isInternal && { lead: words.internalLead })}>
        {!isInternal && (
          <span className="flex flex-wrap gap-2">
            {may("ops.platforms") && <Button onClick={() => setOpen("rename")}>{words.rename}</Button>}
            {may("ops.pauses") && (
              <Button
                kind={pause ? "primary" : "toDanger"}
                onClick={() => setOpen(pause ? "resume" : "pause")}
              >
                {pause ? words.resume : words.pause}
              </Button>
            )}
          </span>
        )}
      </Head>
      {pause && (
        <Notice meaning="attention" className="mb-4">
          {words.paused(
            shortTime(pause.until),
            pause.person?.name ?? shared.pauses.commandLine,
            pause.reason,
          )}
        </Notice>
      )}
      <div className="flex flex-col gap-6">
        {may("ops.keys") && <Keys platformId={platformId} owner={name} />}
        {!isInternal && may("ops.records.read") && <PlatformEndpoints platformId={platformId} />}
        {facts && <PlatformFacts platform={facts} />}
      </div>
      {open === "rename" && <PlatformDialog platform={platform} onClose={close} onDone={close} />}
      {open === "pause" && <PauseDialog platform={platform} onClose={close} />}
      {open === "resume" && pause && <ResumeDialog pause={pause} onClose={close} />}
    </Page>
  );
}
