import type { Backend } from "../backend/backend.ts";
import type { Ailment, MockGroupSnapshot, MockSnapshot, MockVolume } from "../backend/volume.ts";
import type { CallLog, CallRecord } from "../faults/call-log.ts";
import type { Fault, StoredFault } from "../faults/fault.ts";
import type { FaultList } from "../faults/fault-list.ts";
import type { Mount, NodeState } from "../node/node-state.ts";

export interface MockState {
  readonly volumes: readonly MockVolume[];
  readonly snapshots: readonly MockSnapshot[];
  readonly groupSnapshots: readonly MockGroupSnapshot[];
  /** What is staged and published on this node. */
  readonly mounts: readonly Mount[];
}

/** What a test does to the driver behind the back of its callers. */
export interface MockControl {
  /** Oldest first; one that is under way has no code yet. */
  calls(method?: string): readonly CallRecord[];
  clearCalls(): void;
  faults(): readonly StoredFault[];
  addFault(fault: Fault): StoredFault;
  /** Whether there was such a fault. */
  removeFault(id: string): boolean;
  clearFaults(): void;
  state(): MockState;
  /** By name or id; whether there was such a volume. Healthy without an ailment. */
  setAilment(volume: string, ailment: Ailment | undefined): boolean;
  /** As when somebody deletes the volume in the cloud's own console. By name or id; whether there was such a volume. */
  loseVolume(volume: string): boolean;
}

interface ControlDeps {
  readonly backend: Backend;
  readonly node: NodeState;
  readonly calls: CallLog;
  readonly faults: FaultList;
}

export function createControl({ backend, node, calls, faults }: ControlDeps): MockControl {
  const { volumes, snapshots, groupSnapshots } = backend;
  const find = (volume: string) => volumes.get(volume) ?? volumes.named(volume);
  return {
    calls: (method) => calls.list(method),
    clearCalls: () => calls.clear(),
    faults: () => faults.list(),
    addFault: (fault) => faults.add(fault),
    removeFault: (id) => faults.remove(id),
    clearFaults: () => faults.clear(),
    state: () => ({
      volumes: volumes.list(),
      snapshots: snapshots.list(),
      groupSnapshots: groupSnapshots.list(),
      mounts: node.list(),
    }),
    setAilment(name, ailment) {
      const volume = find(name);
      if (volume === undefined) return false;
      volumes.put({ ...volume, ailment });
      return true;
    },
    loseVolume(name) {
      const volume = find(name);
      if (volume === undefined) return false;
      volumes.remove(volume.id);
      return true;
    },
  };
}
