import type { KubernetesObject } from "@stowage/machinery";
import { parseManifests } from "@stowage/operator";

/** Text by file name. */
export type ReleaseFiles = Readonly<Record<string, string>>;

/** What we ship, as a release of this version has it: with the version, and with images that are tagged by it. */
export function releaseFiles(storageFiles: ReleaseFiles, version: string): ReleaseFiles {
  const shipped = Object.entries(storageFiles);
  const shippedVersion = shipped
    .find(([name]) => name.endsWith("_cluster_operator.yaml"))?.[1]
    .match(/^\s+version: (?<version>\S+)$/mu)?.groups?.["version"];
  if (shippedVersion === undefined) throw new Error("the ClusterOperator of the payload has no version");
  const released = (text: string) =>
    text
      .replaceAll(/(?<=(?:image|value): \S+):latest$/gmu, `:${version}`)
      .replaceAll(/(?<=(?:version|value): )(?<old>\S+)$/gmu, (old) => (old === shippedVersion ? version : old));
  return Object.fromEntries(shipped.map(([name, text]) => [name, released(text)]));
}

export function objectsOf(files: ReleaseFiles): KubernetesObject[] {
  return Object.entries(files).flatMap(([name, text]) => parseManifests({ name, text }));
}
