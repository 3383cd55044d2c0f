import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/section.tsx";
import { Empty } from "../../ui/states.tsx";
import { words } from "../../words.ts";
import { Compare } from "./compare.tsx";
import { Countdown } from "./countdown.tsx";
import { Details } from "./details.tsx";
import type { OpenEvidence } from "./use-evidence.ts";

const { evidence: say } = words;

interface Props {
  opened: OpenEvidence;
  close(cause?: "shut"): void;
}

/** The open evidence: why and until when, two pictures side by side, and the details beside them. */
export function OpenedEvidence({ opened, close }: Props) {
  const { purpose, auditId, closesAt, submission } = opened;
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-attention-line bg-attention-tint px-4 py-1.5">
        <p role="status" className="min-w-0 text-attention">
          <span className="font-medium">{say.opened(words.purpose.short[purpose])}</span> ·{" "}
          {say.audit(auditId)} · {say.closesIn} <Countdown until={closesAt} />
        </p>
        <Button className="ml-auto h-8" onClick={() => close()}>
          {say.close}
        </Button>
      </div>
      {submission ? (
        <div className="grid wide:grid-cols-[minmax(0,1fr)_372px]">
          <Compare opened={opened} onShut={() => close("shut")} />
          <Details submission={submission} />
        </div>
      ) : (
        <Empty title={say.erased} text={say.erasedText} />
      )}
    </Card>
  );
}
