/** Where a Pod's volume is on the machine. */
export type HostVolume =
  | { readonly kind: "folder"; readonly path: string; readonly isReadOnly: boolean }
  /** A file, as a `hostPath` may be. */
  | { readonly kind: "file"; readonly path: string; readonly isReadOnly: boolean }
  | { readonly kind: "device"; readonly path: string };

/** By the names that the Pod gives its volumes. */
export type HostVolumes = ReadonlyMap<string, HostVolume>;
