import { createRef } from "react";

/** Where menus and lists are put: inside the page's content, so that they belong to a landmark. */
export const popups = createRef<HTMLDivElement>();
