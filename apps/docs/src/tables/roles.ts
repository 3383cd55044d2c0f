import { operatorScope, role, scopesOfRole } from "@cardbridge/domain";

/** A row of each scope of operators, with the roles of persons that have it. */
export function roles(): string {
  const names = role.options;
  const rows = operatorScope.options.map((scope) => {
    const marks = names.map((name) =>
      (scopesOfRole[name] as readonly string[]).includes(scope) ? "yes" : "–",
    );
    return `| \`${scope}\` | ${marks.join(" | ")} |`;
  });
  const head = ["Scope", ...names.map((name) => `\`${name}\``)];
  return [`| ${head.join(" | ")} |`, `| ${head.map(() => "---").join(" | ")} |`, ...rows].join("\n");
}
