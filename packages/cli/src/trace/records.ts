import type {
  Event,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  VolumeAttachment,
  VolumeSnapshot,
} from "@stowage/machinery";
import type { CallTotal } from "./step.ts";

export interface ClaimName {
  readonly namespace: string;
  readonly name: string;
}

export interface ContainerLog {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly node: string | undefined;
  readonly text: string;
}

/** All that was read of one claim's life. What is gone has left its name in what is still there. */
export interface Records {
  readonly subject: ClaimName;
  readonly uid: string;
  readonly claim: PersistentVolumeClaim | undefined;
  /** The claim waits for a Pod before its volume is made. */
  readonly isDelayed: boolean;
  /** Also of one that is gone. */
  readonly volumeName: string;
  readonly volume: PersistentVolume | undefined;
  readonly driver: string | undefined;
  readonly attachments: readonly VolumeAttachment[];
  readonly pods: readonly Pod[];
  readonly snapshots: readonly VolumeSnapshot[];
  readonly events: readonly Event[];
  readonly logs: readonly ContainerLog[];
  readonly totals: readonly CallTotal[];
  readonly unread: readonly string[];
}
