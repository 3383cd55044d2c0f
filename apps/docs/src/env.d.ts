declare namespace App {
  interface Locals {
    /** The sections of the site, for the header. */
    sections: { title: string; href: string; isCurrent: boolean }[];
    /** Where the current page is: its section, and its group in the sidebar. */
    place: string[];
  }
}
