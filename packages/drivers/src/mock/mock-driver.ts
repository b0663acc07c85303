import { join } from "node:path";
import type { Driver } from "@stowage/csi";
import { Backend } from "./backend/backend.ts";
import { createControl, type MockControl } from "./control/control.ts";
import { controllerService } from "./controller/controller-service.ts";
import { groupControllerService } from "./controller/group-snapshots.ts";
import { CallLog } from "./faults/call-log.ts";
import { FaultList } from "./faults/fault-list.ts";
import { intercepted } from "./faults/interception.ts";
import { misbehave } from "./faults/misbehave.ts";
import { nodeService } from "./node/node-service.ts";
import { NodeState } from "./node/node-state.ts";
import { type MockDriverOptions, type MockSettings, withDefaults } from "./options.ts";

export interface MockDriver {
  readonly driver: Driver;
  /** Faults and records, for a test in the same process; `startControlServer` offers the same to others. */
  readonly control: MockControl;
}

/** A driver of a storage that is nowhere but in memory, which does everything, and goes wrong on request. */
export function createMockDriver(options: MockDriverOptions): MockDriver {
  const settings = withDefaults(options);
  const { stateDir, services, nodeId, clock } = settings;
  const backend = new Backend(stateDir && join(stateDir, "volumes.json"));
  // A node may run beside others, and beside the controller, on the same folder: the file is the node's alone, also to read.
  const nodeFile = stateDir && join(stateDir, `node-${encodeURIComponent(nodeId)}.json`);
  const node = new NodeState(services.includes("node") ? nodeFile : undefined);
  const deps = { settings, backend, node, calls: new CallLog(clock), faults: new FaultList() };
  const isController = services.includes("controller");
  const isGroupController = isController && settings.abilities.includes("group-snapshots");
  const driver: Driver = {
    name: settings.name,
    vendorVersion: settings.vendorVersion,
    traits: traitsOf(settings),
    controller: isController ? intercepted(controllerService(deps), deps) : undefined,
    groupController: isGroupController ? intercepted(groupControllerService(deps), deps) : undefined,
    node: services.includes("node") ? intercepted(nodeService(deps), deps) : undefined,
    probe: ({ signal }) => misbehave(deps.faults.take("Probe", []), async () => true, { clock, signal }),
  };
  return { driver, control: createControl(deps) };
}

function traitsOf({ topology, expansion, attaches, abilities }: MockSettings): Driver["traits"] {
  const hasTopology = Object.keys(topology).length > 0;
  return {
    hasTopology,
    hasSnapshotTopology: hasTopology,
    expansion: abilities.includes("expand") ? expansion : undefined,
    supportsClones: abilities.includes("clones"),
    supportsReadOnlyPublish: attaches,
    listsPublishedNodes: attaches,
    reportsVolumeCondition: true,
    supportsSingleNodeMultiWriter: true,
  };
}
