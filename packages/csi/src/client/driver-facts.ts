import type { Controller, GroupController, Identity, Node } from "../generated/csi_pb.js";
import { isCsiCode } from "../protocol/index.ts";
import {
  type ControllerCapabilityName,
  controllerCapabilityNames,
  type GroupControllerCapabilityName,
  groupControllerCapabilityNames,
  type NodeCapabilityName,
  nodeCapabilityNames,
  type PluginCapabilityName,
  pluginCapabilityNames,
} from "./capabilities.ts";
import type { ServiceClient } from "./service-client.ts";

/** What a driver says about itself. Asked once, and again after a lost connection: it may come back as another version. */
export interface DriverFacts {
  driverName(): Promise<string>;
  pluginCapabilities(): Promise<ReadonlySet<PluginCapabilityName>>;
  /** Empty when the driver does not offer the service, as with the next two. */
  controllerCapabilities(): Promise<ReadonlySet<ControllerCapabilityName>>;
  groupControllerCapabilities(): Promise<ReadonlySet<GroupControllerCapabilityName>>;
  nodeCapabilities(): Promise<ReadonlySet<NodeCapabilityName>>;
}

export interface DriverServices {
  readonly identity: ServiceClient<typeof Identity>;
  readonly controller: ServiceClient<typeof Controller>;
  readonly groupController: ServiceClient<typeof GroupController>;
  readonly node: ServiceClient<typeof Node>;
}

export interface RememberedFacts {
  readonly facts: DriverFacts;
  forget(): void;
}

export function rememberFacts(services: DriverServices): RememberedFacts {
  const remembered = new Map<string, Promise<unknown>>();
  function once<Fact>(name: string, ask: () => Promise<Fact>): () => Promise<Fact> {
    return () => {
      const known = remembered.get(name) as Promise<Fact> | undefined;
      if (known !== undefined) return known;
      const fact = ask();
      remembered.set(name, fact);
      // A failure is not a fact; whoever asked gets it, the next one asks anew.
      fact.catch(() => remembered.get(name) === fact && remembered.delete(name));
      return fact;
    };
  }
  const { identity, controller, groupController, node } = services;
  const facts: DriverFacts = {
    driverName: once("name", async () => (await identity.getPluginInfo({})).name),
    pluginCapabilities: once("plugin", async () => pluginCapabilityNames(await identity.getPluginCapabilities({}))),
    controllerCapabilities: once("controller", () =>
      noneIfAbsent(async () => controllerCapabilityNames(await controller.controllerGetCapabilities({}))),
    ),
    groupControllerCapabilities: once("group", () =>
      noneIfAbsent(async () =>
        groupControllerCapabilityNames(await groupController.groupControllerGetCapabilities({})),
      ),
    ),
    nodeCapabilities: once("node", () =>
      noneIfAbsent(async () => nodeCapabilityNames(await node.nodeGetCapabilities({}))),
    ),
  };
  return { facts, forget: () => remembered.clear() };
}

async function noneIfAbsent<Name>(ask: () => Promise<ReadonlySet<Name>>): Promise<ReadonlySet<Name>> {
  try {
    return await ask();
  } catch (error) {
    // The socket of a node has no controller service, and the other way round.
    if (isCsiCode(error, "UNIMPLEMENTED")) return new Set();
    throw error;
  }
}
