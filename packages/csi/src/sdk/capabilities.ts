import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type ControllerGetCapabilitiesResponseSchema,
  ControllerServiceCapability_RPC_Type as ControllerRpc,
  PluginCapability_VolumeExpansion_Type as Expansion,
  type GetPluginCapabilitiesResponseSchema,
  type GroupControllerGetCapabilitiesResponseSchema,
  GroupControllerServiceCapability_RPC_Type as GroupControllerRpc,
  type NodeGetCapabilitiesResponseSchema,
  NodeServiceCapability_RPC_Type as NodeRpc,
  PluginCapability_Service_Type as Service,
} from "../generated/csi_pb.js";
import type { Driver } from "./driver.ts";

/** What is spoken: CSI 1.12, or with the gate open what 1.13 adds and without what it took away. */
export interface CapabilityOptions {
  readonly gate13?: boolean;
}

type Offer<Type> = readonly [type: Type, isOffered: boolean];

/** The types that are offered, each as the message that carries it. */
function rpcCapabilities<Type>(offers: readonly Offer<Type>[]) {
  return offers.filter(([, isOffered]) => isOffered).map(([type]) => ({ type: rpc(type) }));
}

function rpc<Type>(type: Type) {
  return { case: "rpc" as const, value: { type } };
}

export function pluginCapabilities(
  driver: Driver,
  options: CapabilityOptions = {},
): MessageInitShape<typeof GetPluginCapabilitiesResponseSchema> {
  const traits = driver.traits ?? {};
  const offers: Offer<Service>[] = [
    [Service.CONTROLLER_SERVICE, driver.controller !== undefined],
    [Service.VOLUME_ACCESSIBILITY_CONSTRAINTS, traits.hasTopology ?? false],
    [Service.GROUP_CONTROLLER_SERVICE, driver.groupController !== undefined],
    [Service.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS, options.gate13 === true && traits.hasSnapshotTopology === true],
  ];
  const services = offers
    .filter(([, isOffered]) => isOffered)
    .map(([type]) => ({ type: { case: "service" as const, value: { type } } }));
  if (traits.expansion === undefined) return { capabilities: services };
  const type = traits.expansion === "online" ? Expansion.ONLINE : Expansion.OFFLINE;
  return { capabilities: [...services, { type: { case: "volumeExpansion", value: { type } } }] };
}

export function controllerCapabilities(
  driver: Driver,
  options: CapabilityOptions = {},
): MessageInitShape<typeof ControllerGetCapabilitiesResponseSchema> {
  const has = (name: keyof NonNullable<Driver["controller"]>) => driver.controller?.[name] !== undefined;
  const traits = driver.traits ?? {};
  const gate13 = options.gate13 ?? false;
  return {
    capabilities: rpcCapabilities<ControllerRpc>([
      [ControllerRpc.CREATE_DELETE_VOLUME, has("createVolume")],
      [ControllerRpc.PUBLISH_UNPUBLISH_VOLUME, has("controllerPublishVolume")],
      [ControllerRpc.LIST_VOLUMES, has("listVolumes")],
      [ControllerRpc.GET_CAPACITY, has("getCapacity")],
      [ControllerRpc.CREATE_DELETE_SNAPSHOT, has("createSnapshot")],
      [ControllerRpc.LIST_SNAPSHOTS, has("listSnapshots")],
      [ControllerRpc.CLONE_VOLUME, has("createVolume") && traits.supportsClones === true],
      [ControllerRpc.PUBLISH_READONLY, has("controllerPublishVolume") && traits.supportsReadOnlyPublish === true],
      [ControllerRpc.EXPAND_VOLUME, has("controllerExpandVolume")],
      [ControllerRpc.LIST_VOLUMES_PUBLISHED_NODES, has("listVolumes") && traits.listsPublishedNodes === true],
      [ControllerRpc.VOLUME_CONDITION, !gate13 && traits.reportsVolumeCondition === true],
      [ControllerRpc.GET_VOLUME, has("controllerGetVolume")],
      [ControllerRpc.SINGLE_NODE_MULTI_WRITER, traits.supportsSingleNodeMultiWriter ?? false],
      [ControllerRpc.MODIFY_VOLUME, has("controllerModifyVolume")],
      [ControllerRpc.GET_SNAPSHOT, has("getSnapshot")],
      [ControllerRpc.GET_VOLUME_HEALTH, gate13 && has("controllerGetVolumeHealth")],
      [ControllerRpc.LIST_VOLUME_HEALTH, gate13 && has("controllerListVolumeHealth")],
    ]),
  };
}

export function groupControllerCapabilities(
  driver: Driver,
): MessageInitShape<typeof GroupControllerGetCapabilitiesResponseSchema> {
  return {
    capabilities: rpcCapabilities<GroupControllerRpc>([
      [GroupControllerRpc.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT, driver.groupController !== undefined],
    ]),
  };
}

export function nodeCapabilities(
  driver: Driver,
  options: CapabilityOptions = {},
): MessageInitShape<typeof NodeGetCapabilitiesResponseSchema> {
  const has = (name: keyof NonNullable<Driver["node"]>) => driver.node?.[name] !== undefined;
  const traits = driver.traits ?? {};
  const gate13 = options.gate13 ?? false;
  return {
    capabilities: rpcCapabilities<NodeRpc>([
      [NodeRpc.STAGE_UNSTAGE_VOLUME, has("nodeStageVolume")],
      [NodeRpc.GET_VOLUME_STATS, has("nodeGetVolumeStats")],
      [NodeRpc.EXPAND_VOLUME, has("nodeExpandVolume")],
      [NodeRpc.VOLUME_CONDITION, !gate13 && traits.reportsVolumeCondition === true],
      [NodeRpc.SINGLE_NODE_MULTI_WRITER, traits.supportsSingleNodeMultiWriter ?? false],
      [NodeRpc.VOLUME_MOUNT_GROUP, traits.supportsVolumeMountGroup ?? false],
      [NodeRpc.GET_VOLUME_HEALTH, gate13 && has("nodeGetVolumeHealth")],
      [NodeRpc.GET_STORAGE_HEALTH, gate13 && has("nodeGetStorageHealth")],
    ]),
  };
}
