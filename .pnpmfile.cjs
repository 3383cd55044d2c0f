function readPackage(pkg) {
  // Its own JavaScript does; the others are the same checker for the JVM and for each platform.
  if (pkg.name === "recheck") pkg.optionalDependencies = {};
  // They need the compiler's API, which TypeScript 7 does not have: each gets a TypeScript 5 of its own.
  if (pkg.name === "@hey-api/openapi-ts" || pkg.name === "openapi-typescript") {
    pkg.dependencies = { ...pkg.dependencies, typescript: "5.9.3" };
    delete pkg.peerDependencies?.typescript;
  }
  // Tests run the oldest and the newest tRPC beside the one that the workspace uses: each gets a server of its own version.
  if (pkg.name === "@trpc/client" && ["11.4.0", "11.25.2"].includes(pkg.version)) {
    pkg.dependencies = { ...pkg.dependencies, "@trpc/server": pkg.version };
    delete pkg.peerDependencies["@trpc/server"];
  }
  // Node's own Linux binaries need glibc, and do not say so: elsewhere the machine's Node serves.
  if (pkg.name?.startsWith("node-linux-")) pkg.libc = ["glibc"];
  return pkg;
}

module.exports = { hooks: { readPackage } };
