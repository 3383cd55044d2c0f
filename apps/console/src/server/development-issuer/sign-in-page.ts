import { createHash } from "node:crypto";
import { people } from "./people.ts";

const style = `
:root { color-scheme: light dark; --text: #1c2330; --soft: #5a6473; --line: #dde1e8; --page: #f6f7f9; --card: #fff; --accent: #2f5fd0; --tint: #eef3ff; --attention: #8a5a00; --attention-tint: #fff6e0; }
@media (prefers-color-scheme: dark) { :root { --text: #e7eaf0; --soft: #a3adbd; --line: #303846; --page: #12161d; --card: #1a202a; --accent: #8fb0ff; --tint: #212c42; --attention: #f0c668; --attention-tint: #332a14; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 24px 16px; background: var(--page); color: var(--text); font: 14px/1.4 system-ui, sans-serif; }
main { width: min(420px, calc(100vw - 32px)); }
h1 { margin: 0 0 4px; font-size: 20px; font-weight: 600; }
p { margin: 0 0 16px; color: var(--soft); }
p.note { margin: 16px 0 0; padding: 8px 12px; border-radius: 6px; background: var(--attention-tint); color: var(--attention); }
ul { margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 6px; background: var(--card); overflow: hidden; }
li + li { border-top: 1px solid var(--line); }
form { margin: 0; }
button { display: grid; grid-template-columns: 1fr auto; gap: 0 12px; width: 100%; padding: 12px 16px; border: 0; background: none; color: inherit; font: inherit; text-align: left; cursor: pointer; }
button:hover { background: var(--tint); }
button:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; border-radius: 6px; }
strong { font-weight: 600; }
.role { color: var(--accent); }
.may { grid-column: 1 / -1; color: var(--soft); font-size: 13px; }
`;

const hash = createHash("sha256").update(style).digest("base64");

/** The headers of the page. It has no script, and its forms go to the issuer, which redirects to the console. */
export const signInPageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
};

/** The page that lists the persons. `action` is the address of its forms. */
export function signInPage(action: string): string {
  const rows = people.map(
    ({ id, name, role, may }) => `<li><form method="post" action="${action}">
<button name="person" value="${id}"><strong>${name}</strong><span class="role">${role}</span><span class="may">${may}</span></button>
</form></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in for development · cardbridge</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Sign in to cardbridge</h1>
<p>Choose a person. Each one has a different role.</p>
<ul>
${rows.join("\n")}
</ul>
<p class="note">Development only: there are no passwords, and the data is demo data.</p>
</main>
</body>
</html>
`;
}
