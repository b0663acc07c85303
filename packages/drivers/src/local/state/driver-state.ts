import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, KeyedLock, type Logger } from "@stowage/machinery";
import type { FaultPoint } from "../fault-points.ts";
import type { Intent } from "./intents.ts";
import { ensureLayout, type Layout, layoutAt } from "./layout.ts";
import { waitForOrphans } from "./orphaned-commands.ts";
import { takeOwnership } from "./ownership.ts";
import { RecordStore } from "./record-store.ts";
import type { GroupRecord, SnapshotRecord, VolumeRecord } from "./records.ts";

/** Everything that the driver knows, on disk and in memory. */
export interface DriverState {
  readonly layout: Layout;
  readonly volumes: RecordStore<VolumeRecord>;
  readonly snapshots: RecordStore<SnapshotRecord>;
  readonly groups: RecordStore<GroupRecord>;
  readonly intents: RecordStore<Intent>;
  readonly locks: KeyedLock;
  /** Of the owner's file; commands are to have it open. */
  readonly ownerDescriptor: number;
}

export interface OpenStateOptions {
  readonly stateDir: string;
  readonly faultPoint: FaultPoint;
  readonly logger: Logger;
  readonly clock: Clock;
}

export async function openState({ stateDir, faultPoint, logger, clock }: OpenStateOptions): Promise<DriverState> {
  await mkdir(stateDir, { recursive: true });
  // As the kernel names it: that is how the backing files of loop devices are compared.
  const layout = layoutAt(await realpath(stateDir));
  const ownerPath = join(layout.root, "owner");
  const ownerDescriptor = await takeOwnership(ownerPath);
  await waitForOrphans(ownerPath, { clock, logger });
  await ensureLayout(layout);
  const shared = { brokenDirectory: layout.broken, faultPoint, logger };
  return {
    layout,
    volumes: await RecordStore.open({ kind: "volume", directory: layout.volumeRecords, ...shared }),
    snapshots: await RecordStore.open({ kind: "snapshot", directory: layout.snapshotRecords, ...shared }),
    groups: await RecordStore.open({ kind: "group", directory: layout.groupRecords, ...shared }),
    intents: await RecordStore.open({ kind: "intent", directory: layout.intents, ...shared }),
    locks: new KeyedLock(),
    ownerDescriptor,
  };
}
