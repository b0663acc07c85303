import { create, type DescMethodUnary, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import {
  Controller,
  GroupController,
  VolumeCapability_AccessMode_Mode as Mode,
  Node,
  type VolumeCapabilitySchema,
} from "../../generated/csi_pb.js";
import { controllerChecks, findViolation, groupControllerChecks, nodeChecks } from "./request-checks.ts";

type CapabilityInit = MessageInitShape<typeof VolumeCapabilitySchema>;
type Table = Record<string, Parameters<typeof findViolation>[1] | undefined>;

const mount: CapabilityInit = {
  accessType: { case: "mount", value: {} },
  accessMode: { mode: Mode.SINGLE_NODE_WRITER },
};
// oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- what a newer client may send
const unknownMode = 99 as Mode;
const block: CapabilityInit = { ...mount, accessType: { case: "block", value: {} } };
const tables: Record<string, object> = {
  [Controller.typeName]: controllerChecks,
  [GroupController.typeName]: groupControllerChecks,
  [Node.typeName]: nodeChecks,
};

function violationOf<Method extends DescMethodUnary>(method: Method, request: MessageInitShape<Method["input"]>) {
  const checks = (tables[method.parent.typeName] as Table)[method.localName] ?? {};
  const violation = findViolation(method.input, checks, create(method.input, request));
  return violation && `${violation.code} ${violation.field}`;
}

const { method: controller } = Controller;
const { method: node } = Node;
const { method: group } = GroupController;

const volume = { name: "pvc-1", volumeCapabilities: [mount] };
const publish = { volumeId: "v", targetPath: "/t", volumeCapability: mount };

test.each([
  ["a volume without a name", violationOf(controller.createVolume, {}), "INVALID_ARGUMENT name"],
  ["no capabilities", violationOf(controller.createVolume, { name: "n" }), "INVALID_ARGUMENT volume_capabilities"],
  [
    "a capability without an access type",
    violationOf(controller.createVolume, { name: "n", volumeCapabilities: [{ accessMode: mount.accessMode }] }),
    "INVALID_ARGUMENT volume_capabilities",
  ],
  [
    "a capability without an access mode",
    violationOf(controller.createVolume, { name: "n", volumeCapabilities: [{ accessType: mount.accessType }] }),
    "INVALID_ARGUMENT volume_capabilities",
  ],
  [
    "an access mode that nobody knows",
    violationOf(controller.createVolume, {
      name: "n",
      volumeCapabilities: [{ ...mount, accessMode: { mode: unknownMode } }],
    }),
    "INVALID_ARGUMENT volume_capabilities",
  ],
  [
    "a device that is a file system",
    violationOf(controller.createVolume, { name: "n", volumeCapabilities: [mount, block] }),
    "INVALID_ARGUMENT volume_capabilities",
  ],
  [
    "a name of 129 bytes",
    violationOf(controller.createVolume, { ...volume, name: `${"é".repeat(64)}a` }),
    "INVALID_ARGUMENT name",
  ],
  [
    "a control character",
    violationOf(controller.createVolume, { ...volume, name: "a\u0007b" }),
    "INVALID_ARGUMENT name",
  ],
  ["a way out", violationOf(controller.createVolume, { ...volume, name: "../b" }), "INVALID_ARGUMENT name"],
  [
    "a negative size",
    violationOf(controller.createVolume, { ...volume, capacityRange: { requiredBytes: -1n } }),
    "INVALID_ARGUMENT capacity_range",
  ],
  [
    "an empty range",
    violationOf(controller.createVolume, { ...volume, capacityRange: {} }),
    "INVALID_ARGUMENT capacity_range",
  ],
  [
    "more than the limit",
    violationOf(controller.createVolume, { ...volume, capacityRange: { requiredBytes: 2n, limitBytes: 1n } }),
    "OUT_OF_RANGE capacity_range",
  ],
  [
    "a source without an ID",
    violationOf(controller.createVolume, {
      ...volume,
      volumeContentSource: { type: { case: "snapshot", value: {} } },
    }),
    "INVALID_ARGUMENT volume_content_source",
  ],
  ["deleting nothing", violationOf(controller.deleteVolume, {}), "INVALID_ARGUMENT volume_id"],
  [
    "publishing to no node",
    violationOf(controller.controllerPublishVolume, { volumeId: "v" }),
    "INVALID_ARGUMENT node_id",
  ],
  [
    "publishing for no use",
    violationOf(controller.controllerPublishVolume, { volumeId: "v", nodeId: "n" }),
    "INVALID_ARGUMENT volume_capability",
  ],
  ["unpublishing nothing", violationOf(controller.controllerUnpublishVolume, {}), "INVALID_ARGUMENT volume_id"],
  [
    "validating nothing",
    violationOf(controller.validateVolumeCapabilities, { volumeId: "v" }),
    "INVALID_ARGUMENT volume_capabilities",
  ],
  ["a negative page", violationOf(controller.listVolumes, { maxEntries: -1 }), "INVALID_ARGUMENT max_entries"],
  ["a snapshot without a name", violationOf(controller.createSnapshot, {}), "INVALID_ARGUMENT name"],
  ["a snapshot of nothing", violationOf(controller.createSnapshot, { name: "s" }), "INVALID_ARGUMENT source_volume_id"],
  ["deleting no snapshot", violationOf(controller.deleteSnapshot, {}), "INVALID_ARGUMENT snapshot_id"],
  ["reading no snapshot", violationOf(controller.getSnapshot, {}), "INVALID_ARGUMENT snapshot_id"],
  [
    "expanding to no size",
    violationOf(controller.controllerExpandVolume, { volumeId: "v" }),
    "INVALID_ARGUMENT capacity_range",
  ],
  ["modifying nothing", violationOf(controller.controllerModifyVolume, {}), "INVALID_ARGUMENT volume_id"],
  ["the health of nothing", violationOf(controller.controllerGetVolumeHealth, {}), "INVALID_ARGUMENT volume_id"],
  ["a group without a name", violationOf(group.createVolumeGroupSnapshot, {}), "INVALID_ARGUMENT name"],
  [
    "a group of nothing",
    violationOf(group.createVolumeGroupSnapshot, { name: "g" }),
    "INVALID_ARGUMENT source_volume_ids",
  ],
  ["reading no group", violationOf(group.getVolumeGroupSnapshot, {}), "INVALID_ARGUMENT group_snapshot_id"],
  ["deleting no group", violationOf(group.deleteVolumeGroupSnapshot, {}), "INVALID_ARGUMENT group_snapshot_id"],
  ["staging nowhere", violationOf(node.nodeStageVolume, { volumeId: "v" }), "INVALID_ARGUMENT staging_target_path"],
  ["unstaging nowhere", violationOf(node.nodeUnstageVolume, { volumeId: "v" }), "INVALID_ARGUMENT staging_target_path"],
  ["publishing nowhere", violationOf(node.nodePublishVolume, { volumeId: "v" }), "INVALID_ARGUMENT target_path"],
  [
    "publishing at a relative path",
    violationOf(node.nodePublishVolume, { ...publish, targetPath: "t" }),
    "INVALID_ARGUMENT target_path",
  ],
  [
    "publishing at a way out",
    violationOf(node.nodePublishVolume, { ...publish, targetPath: "/a/../../etc" }),
    "INVALID_ARGUMENT target_path",
  ],
  ["statistics of nowhere", violationOf(node.nodeGetVolumeStats, { volumeId: "v" }), "INVALID_ARGUMENT volume_path"],
  ["expanding nowhere", violationOf(node.nodeExpandVolume, { volumeId: "v" }), "INVALID_ARGUMENT volume_path"],
])("%s is refused", (_, violation, expected) => {
  expect(violation).toBe(expected);
});

test.each([
  ["a volume", violationOf(controller.createVolume, volume)],
  ["a name of 128 bytes", violationOf(controller.createVolume, { ...volume, name: "x".repeat(128) })],
  ["dots that lead nowhere", violationOf(controller.createVolume, { ...volume, name: "a..b" })],
  [
    "an exact size",
    violationOf(controller.createVolume, { ...volume, capacityRange: { requiredBytes: 1n, limitBytes: 1n } }),
  ],
  ["a long ID from elsewhere", violationOf(controller.deleteVolume, { volumeId: `/subscriptions/${"x".repeat(300)}` })],
  ["an inline volume, which is not staged", violationOf(node.nodePublishVolume, publish)],
  ["a relative path to look at", violationOf(node.nodeGetVolumeStats, { volumeId: "v", volumePath: "some/path" })],
  ["a group whose snapshots are not known", violationOf(group.deleteVolumeGroupSnapshot, { groupSnapshotId: "g" })],
  ["parameters to modify that are left out", violationOf(controller.controllerModifyVolume, { volumeId: "v" })],
])("%s is let through", (_, violation) => {
  expect(violation).toBeUndefined();
});
