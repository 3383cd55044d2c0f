import { useSession } from "../session.ts";
import { EnvironmentWord } from "../shell/environment.tsx";
import { words } from "../words.ts";

const { system: say } = words;

/** Which environment this is, before anything else. */
export function EnvironmentHead() {
  const session = useSession();
  const environment = session.state === "signed-in" ? session.session.environment : "live";
  return (
    <div className="mb-5">
      <h1 className="flex items-center gap-3 text-20 font-semibold tracking-tight">
        {say.title}
        <EnvironmentWord environment={environment} />
      </h1>
      <p className="text-muted">{say.environmentText[environment]}</p>
    </div>
  );
}
