let loaded: ReturnType<typeof load> | undefined;

/** Loads sharp on first use, with one thread and without a cache. It is native and large, and a PDF does not need it. */
export function loadSharp(): ReturnType<typeof load> {
  loaded ??= load();
  return loaded;
}

async function load() {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
