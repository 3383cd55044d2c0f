import { type Kind, kinds, type Page } from "./kinds.ts";
import { type Piece, piecesOf, statementsIn } from "./pieces.ts";

/** Pages that tell of another company: of these only what they name of the project is compared. */
const isOutline = /^apps\/airwallex-fake\//;
const outline = ["link", "anchor", "path", "file", "package", "pnpm", "script", "decision"];

/** The statements of a page about what does not exist, such as `README.md:12 variable NO_SUCH_VARIABLE`. */
export function falseStatements(page: Page): string[] {
  return statementsOf(page).flatMap(({ kind, statement }) =>
    kind.isKnown(statement.value, page, statement)
      ? []
      : [`${page.path}:${statement.line} ${kind.name} ${statement.value}`],
  );
}

/** Every statement of a page. */
export function statementsOf(page: Page) {
  return piecesOf(page.markdown).flatMap((piece) =>
    kinds
      .filter(({ name }) => outline.includes(name) || !isOutline.test(page.path))
      .filter((kind) => hasPlace(kind, piece))
      .flatMap((kind) => statementsIn(piece, kind.pattern).map((statement) => ({ kind, statement }))),
  );
}

function hasPlace({ places, languages }: Kind, { place, language }: Piece): boolean {
  if (!places.includes(place)) return false;
  return place !== "block" || languages === undefined || languages.includes(language);
}
