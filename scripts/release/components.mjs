import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Contrib, Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import { root } from "../bootstrap.mjs";

/** The packages whose styles or scripts are in pages, where no source map names them. */
const withoutMaps = [
  "console/node_modules/tailwindcss",
  "docs/node_modules/@astrojs/starlight",
  "docs/node_modules/minisearch",
];

/**
 * The packages of others in a release, by name and version: those that the source maps of the programs name, and those that
 * the service has beside its programs.
 *
 * @returns of each package its manifest, and the text of its license if it has one
 */
export async function readComponents() {
  const service = await filesBelow("apps/api/dist");
  const maps = [...service, ...(await filesBelow("apps/console/dist"))].filter((path) =>
    path.endsWith(".js.map"),
  );
  const paths = [
    ...(await Promise.all(maps.map(sourcesOf))).flat(),
    ...service.filter((path) => path.endsWith("package.json")),
    ...withoutMaps.map((path) => join(root, "apps", path, "package.json")),
  ];
  const folders = new Set(paths.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []));
  // A package that contains others has no folders of theirs: their sources are part of it.
  const installed = [...folders].filter((folder) => existsSync(join(folder, "package.json")));
  const components = await Promise.all(installed.map(readComponent));
  const byId = new Map(components.map((each) => [`${each.manifest.name}@${each.manifest.version}`, each]));
  return [...byId.keys()].sort().map((id) => byId.get(id));
}

/** The paths of all files below a folder of the project. */
export async function filesBelow(folder) {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function sourcesOf(map) {
  const { sources } = JSON.parse(await readFile(map, "utf8"));
  return sources.map((source) => join(dirname(map), source));
}

async function readComponent(folder) {
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  if (!manifest.license) throw new Error(`${manifest.name} has no license.`);
  const names = (await readdir(folder)).filter((name) => /^(licen[cs]e|notice|copying)/i.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return { manifest, text: texts.join("\n").replaceAll("\r\n", "\n").trim() };
}

/** The licenses of all components as one text. */
export function licensesText(components) {
  const parts = components.map(
    ({ manifest: { name, version, license }, text }) => `${name} ${version} (${license})\n\n${text}\n`,
  );
  return parts.join(`\n${"-".repeat(80)}\n\n`);
}

/** The software bill of materials of a version, in CycloneDX 1.6 as JSON, without a time or a random serial number. */
export function softwareBill(version, components) {
  const { FromNodePackageJson, License } = Contrib;
  const licenses = new License.Factories.LicenseFactory((text) => {
    if (!/^[(\w.+-]+( (AND|OR|WITH) [\w.+)-]+)*$/.test(text)) throw new Error("No SPDX expression.");
  });
  const builder = new FromNodePackageJson.Builders.ComponentBuilder(
    new FromNodePackageJson.Factories.ExternalReferenceFactory(),
    licenses,
  );
  const bill = new Models.Bom();
  const { Application, Library } = Enums.ComponentType;
  // Without a reference of its own, a component gets a random one.
  bill.metadata.component = new Models.Component(Application, "cardbridge", {
    version,
    bomRef: "cardbridge",
  });
  for (const { manifest } of components) {
    const component = builder.makeComponent(manifest, Library);
    component.purl = `pkg:npm/${manifest.name.replace("@", "%40")}@${manifest.version}`;
    component.bomRef.value = component.purl;
    bill.components.add(component);
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return serializer.serialize(bill, { sortLists: true, space: 2 });
}
