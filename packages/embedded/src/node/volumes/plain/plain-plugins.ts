import type { Volume } from "@stowage/machinery";

/** The folders of volumes that need no driver, by what the Pod calls their kind. */
export const plainPlugins = {
  emptyDir: "kubernetes.io~empty-dir",
  configMap: "kubernetes.io~configmap",
  secret: "kubernetes.io~secret",
  downwardAPI: "kubernetes.io~downward-api",
  projected: "kubernetes.io~projected",
} as const;

export type PlainKind = keyof typeof plainPlugins;

/** Of these, what must not be written to a disk. */
export const inMemory: ReadonlySet<PlainKind> = new Set(["secret", "projected", "downwardAPI"]);

/** Undefined for one that is of the machine, or of a driver. */
export function plainKind(volume: Volume): PlainKind | undefined {
  return (Object.keys(plainPlugins) as PlainKind[]).find((kind) => volume[kind] !== undefined);
}

/** Whether it needs a driver: then it is not looked after here. */
export function isDriversVolume({ persistentVolumeClaim, ephemeral, csi }: Volume): boolean {
  return persistentVolumeClaim !== undefined || ephemeral !== undefined || csi !== undefined;
}
