import type { ClusterRelease } from "@stowage/machinery";
import type { PayloadManifest } from "./payload-manifest.ts";

/** Everything of a release, read and checked. */
export interface Payload {
  readonly release: ClusterRelease;
  readonly previous: readonly string[];
  /** In the order in which they are applied. */
  readonly manifests: readonly PayloadManifest[];
  /** Of the manifests: another one means another content. */
  readonly hash: string;
}
