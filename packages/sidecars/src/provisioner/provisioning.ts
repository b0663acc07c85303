import type { Informer } from "@stowage/kube";
import type {
  KeyedLock,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
  VolumeAttachment,
} from "@stowage/machinery";
import type { SidecarDeps } from "../sidecar.ts";
import type { IntentBook } from "./intents/index.ts";
import type { ProvisionerMetrics } from "./metrics.ts";
import type { ProvisionerOptions } from "./options.ts";
import type { SlowClaims } from "./slow-claims.ts";
import type { TopologyPlanner } from "./topology/index.ts";

/** Where a volume can be reached, as the driver says it. */
export type Places = readonly { readonly segments: Record<string, string> }[];

/** What others of the provisioner's parts bring, each if it runs. */
export interface ProvisionerHooks {
  /** In place of one that watches Nodes and CSINodes. */
  readonly topology?: TopologyPlanner;
  /** Told when a volume was made or deleted, since the room that is left has changed. */
  onCapacityChanged?(storageClassName: string, accessibleTopology: Places): void;
  /** When deployed on each node: whose is what. */
  readonly node?: {
    shouldProvision(claim: PersistentVolumeClaim): boolean;
    shouldDelete(volume: PersistentVolume): boolean;
  };
}

/** What all parts of the provisioner share. */
export interface Provisioning extends Pick<SidecarDeps, "client" | "csi" | "driver" | "events" | "clock" | "logger"> {
  readonly options: ProvisionerOptions;
  readonly hooks: ProvisionerHooks;
  readonly topology: TopologyPlanner;
  /** `<ms>-<random>-<driver>`: of this run, on every PV that it makes. */
  readonly identity: string;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly classes: Informer<StorageClass>;
  /** Only for drivers that attach. */
  readonly attachments?: Informer<VolumeAttachment>;
  readonly intents: IntentBook;
  /** By the name of a volume: nothing is made and deleted at once. */
  readonly names: KeyedLock;
  readonly slow: SlowClaims;
  readonly metrics: ProvisionerMetrics;
}
