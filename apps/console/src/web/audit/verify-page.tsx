import { useState } from "react";
import { useMe } from "../lib/use-me.ts";
import { Button } from "../ui/button.tsx";
import { ChoiceField } from "../ui/form-fields.tsx";
import { Head } from "../ui/head.tsx";
import { Page } from "../ui/page.tsx";
import { words } from "../words.ts";
import { AuditTabs } from "./tabs.tsx";
import { useVerification } from "./use-verification.ts";
import { Verified } from "./verified.tsx";

const { verify: say } = words.audit;

/** Verifies the audit of one platform. */
export function VerifyPage() {
  const { me } = useMe();
  const [chosen, choose] = useState<string>();
  const { state, start, stop } = useVerification();
  const platformId = chosen ?? me?.platforms[0]?.platformId ?? "internal";
  const running = state?.at === "running";
  return (
    <Page>
      <Head title={words.audit.title} lead={say.lead} />
      <AuditTabs />
      <form
        className="flex max-w-xl flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (!running) void start(platformId);
        }}
      >
        <div className="min-w-0 flex-1">
          <ChoiceField
            label={words.audit.platform}
            value={platformId}
            options={[
              ...(me?.platforms.map((each) => ({ value: each.platformId, text: each.name })) ?? []),
              { value: "internal", text: words.platforms.internal },
            ]}
            onChange={choose}
          />
        </div>
        {running ? (
          <Button onClick={stop}>{say.stop}</Button>
        ) : (
          <Button type="submit" kind="primary">
            {say.act}
          </Button>
        )}
      </form>
      <div role="status" className="mt-6 max-w-3xl">
        {state && <Verified state={state} onRetry={() => void start(platformId)} />}
      </div>
    </Page>
  );
}
