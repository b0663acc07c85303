/** What can be asked about. */
export type SubjectKind = "pvc" | "pv" | "pod" | "volumesnapshot" | "volumegroupsnapshot" | "storageclass";

const names: Readonly<Record<SubjectKind, readonly string[]>> = {
  pvc: ["persistentvolumeclaim", "persistentvolumeclaims", "claim"],
  pv: ["persistentvolume", "persistentvolumes", "volume"],
  pod: ["pods", "po"],
  volumesnapshot: ["volumesnapshots", "vs", "snapshot"],
  volumegroupsnapshot: ["volumegroupsnapshots", "vgs", "groupsnapshot"],
  storageclass: ["storageclasses", "sc", "class"],
};

export const subjectKinds = Object.keys(names) as readonly SubjectKind[];

/** By any name that kubectl has for it. */
export function subjectKindNamed(word: string): SubjectKind | undefined {
  const lower = word.toLowerCase().replace(/\.(?:(?:group)?snapshot\.)?storage\.k8s\.io$/u, "");
  return subjectKinds.find((kind) => kind === lower || names[kind].includes(lower));
}
