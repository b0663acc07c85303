import { expect, test } from "vitest";
import {
  ControllerServiceCapability_RPC_Type as ControllerRpc,
  NodeServiceCapability_RPC_Type as NodeRpc,
} from "../generated/csi_pb.js";
import {
  controllerCapabilities,
  groupControllerCapabilities,
  nodeCapabilities,
  pluginCapabilities,
} from "./capabilities.ts";
import type { ControllerService, Driver, NodeService } from "./driver.ts";

const answer = () => Promise.resolve({});
const named = (parts: Partial<Driver>): Driver => ({ name: "d", vendorVersion: "1", ...parts });
const nodeBasics: NodeService = { nodePublishVolume: answer, nodeUnpublishVolume: answer, nodeGetInfo: answer };

function controllerRpcs(driver: Driver, gate13 = false): string[] {
  const { capabilities = [] } = controllerCapabilities(driver, { gate13 });
  return capabilities.map(({ type }) => ControllerRpc[(type as { value: { type: ControllerRpc } }).value.type]);
}

function nodeRpcs(driver: Driver, gate13 = false): string[] {
  const { capabilities = [] } = nodeCapabilities(driver, { gate13 });
  return capabilities.map(({ type }) => NodeRpc[(type as { value: { type: NodeRpc } }).value.type]);
}

test.each<[keyof ControllerService, string]>([
  ["createVolume", "CREATE_DELETE_VOLUME"],
  ["controllerPublishVolume", "PUBLISH_UNPUBLISH_VOLUME"],
  ["listVolumes", "LIST_VOLUMES"],
  ["getCapacity", "GET_CAPACITY"],
  ["createSnapshot", "CREATE_DELETE_SNAPSHOT"],
  ["listSnapshots", "LIST_SNAPSHOTS"],
  ["getSnapshot", "GET_SNAPSHOT"],
  ["controllerExpandVolume", "EXPAND_VOLUME"],
  ["controllerGetVolume", "GET_VOLUME"],
  ["controllerModifyVolume", "MODIFY_VOLUME"],
])("a controller with %s offers %s", (name, capability) => {
  expect(controllerRpcs(named({ controller: { [name]: answer } }))).toEqual([capability]);
});

test.each<[keyof NodeService, string]>([
  ["nodeStageVolume", "STAGE_UNSTAGE_VOLUME"],
  ["nodeGetVolumeStats", "GET_VOLUME_STATS"],
  ["nodeExpandVolume", "EXPAND_VOLUME"],
])("a node with %s offers %s", (name, capability) => {
  expect(nodeRpcs(named({ node: { ...nodeBasics, [name]: answer } }))).toEqual([capability]);
});

test("traits are offered only where the functions they speak of are there", () => {
  const traits = { supportsClones: true, supportsReadOnlyPublish: true, listsPublishedNodes: true };
  expect(controllerRpcs(named({ controller: {}, traits }))).toEqual([]);
  const controller = { createVolume: answer, controllerPublishVolume: answer, listVolumes: answer };
  expect(controllerRpcs(named({ controller, traits }))).toEqual([
    "CREATE_DELETE_VOLUME",
    "PUBLISH_UNPUBLISH_VOLUME",
    "LIST_VOLUMES",
    "CLONE_VOLUME",
    "PUBLISH_READONLY",
    "LIST_VOLUMES_PUBLISHED_NODES",
  ]);
});

test("what 1.13 adds is offered only with its gate open, and what it took away only without", () => {
  const driver = named({
    controller: { controllerGetVolumeHealth: answer, controllerListVolumeHealth: answer },
    node: { ...nodeBasics, nodeGetVolumeHealth: answer, nodeGetStorageHealth: answer },
    traits: { reportsVolumeCondition: true, hasSnapshotTopology: true },
  });
  expect([controllerRpcs(driver), nodeRpcs(driver)]).toEqual([["VOLUME_CONDITION"], ["VOLUME_CONDITION"]]);
  expect(controllerRpcs(driver, true)).toEqual(["GET_VOLUME_HEALTH", "LIST_VOLUME_HEALTH"]);
  expect(nodeRpcs(driver, true)).toEqual(["GET_VOLUME_HEALTH", "GET_STORAGE_HEALTH"]);
  expect(pluginCapabilities(driver).capabilities).toHaveLength(1);
  expect(pluginCapabilities(driver, { gate13: true }).capabilities).toHaveLength(2);
});

test("a plugin offers the services that it has, and how it expands", () => {
  const groupController = {
    createVolumeGroupSnapshot: answer,
    deleteVolumeGroupSnapshot: answer,
    getVolumeGroupSnapshot: answer,
  };
  const driver = named({ controller: {}, groupController, traits: { hasTopology: true, expansion: "offline" } });
  expect(pluginCapabilities(driver).capabilities).toMatchInlineSnapshot(`
    [
      {
        "type": {
          "case": "service",
          "value": {
            "type": 1,
          },
        },
      },
      {
        "type": {
          "case": "service",
          "value": {
            "type": 2,
          },
        },
      },
      {
        "type": {
          "case": "service",
          "value": {
            "type": 3,
          },
        },
      },
      {
        "type": {
          "case": "volumeExpansion",
          "value": {
            "type": 2,
          },
        },
      },
    ]
  `);
  expect(pluginCapabilities(named({})).capabilities).toEqual([]);
  expect(groupControllerCapabilities(driver).capabilities).toHaveLength(1);
});
