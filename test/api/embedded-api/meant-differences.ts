import type { Compared } from "./comparison.ts";

const pending =
  "a new claim is kept without its phase there, so the first write that changes nothing is one all the same";

/**
 * Where the embedded server is meant to answer otherwise, with the reason; by `area: name of the sequence`. All that such a sequence
 * differs in is accepted, and it must differ.
 */
export const meantDifferences: Readonly<Record<string, string>> = {
  "storage-claims: a claim that is applied: from a snapshot": pending,
  "storage-claims: the status of a claim:: an empty phase": pending,
  "storage-claims: a claim that changes: its size in another form": pending,
  "storage-claims: a claim from a snapshot that changes: its size in another form": pending,
  "generated-patches: a PersistentVolumeClaim, drawn patches 22 of seed 20261115": pending,
  "generated-patches: a PersistentVolumeClaim, drawn patches 33 of seed 20261115": pending,
  "storage-volumes: a volume with: an empty capacity":
    "what is empty is left out when it is read, so messages show null",
  "verbs-reads: a get: with two dots for a name":
    "dots in a path are resolved before anybody looks at it, as the standard for URLs has it",
  "verbs-creates: created from bytes that are no text":
    "bytes that are no UTF-8 are replaced when the body is read, so a message cannot name them",
  "verbs-creates: a create: as YAML with a field twice": "another library reads YAML, and has its own words",
  "verbs-creates: a create: as YAML that is none": "another library reads YAML, and has its own words",
  "verbs-applies: an apply: of no YAML": "another library reads YAML, and has its own words",
  "verbs-watch: a watch as: application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1":
    "the real server takes the wish and then sends nothing; ours sends the metadata of each",
};

export const nameOf = ({ area, sequence }: Compared) => `${area}: ${sequence.name}`;

export function isMeant(compared: Compared): boolean {
  return Object.hasOwn(meantDifferences, nameOf(compared));
}
