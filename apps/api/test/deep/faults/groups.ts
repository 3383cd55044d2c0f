import type { Episode } from "./episodes/episode.ts";
import type { Run } from "./run-episodes.ts";

/** Episodes that share a cluster in the short form. */
export interface Group {
  title: string;
  /** The index of the first episode, which is the seed of the group. */
  seed: number;
  runs: Run[];
}

/** Groups episodes with two submissions each. The clients of every other episode retry. */
export function groupEpisodes(episodes: readonly Episode[]): Group[] {
  const groups = new Map<string, Group>();
  for (const [index, episode] of episodes.entries()) {
    const { number, title } = episode;
    const group = episode.group ?? (number === undefined ? title : `${number}: ${title}`);
    const run = { episode, load: { size: 2, retries: index % 2 === 0 } };
    const existing = groups.get(group);
    if (existing) existing.runs.push(run);
    else groups.set(group, { title: group, seed: index, runs: [run] });
  }
  return [...groups.values()];
}
