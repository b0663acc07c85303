import type { ControllerService } from "@stowage/csi";
import type { MockDeps } from "../deps.ts";
import { deleteVolume, expandVolume, modifyVolume } from "./change-volume.ts";
import { createVolume } from "./create-volume.ts";
import { publishVolume, unpublishVolume } from "./publish-volume.ts";
import { queryCalls } from "./query-calls.ts";
import { snapshotMessage } from "./snapshot-message.ts";
import { createSnapshot, deleteSnapshot } from "./snapshots.ts";
import { volumeMessage } from "./volume-message.ts";

/** The controller's calls on the backend. Each does its work at once, so that two never meet half-way. */
export function controllerService(deps: MockDeps): ControllerService {
  const { attaches, abilities } = deps.settings;
  return {
    ...volumeCalls(deps),
    ...(attaches ? attachCalls(deps) : {}),
    ...(abilities.includes("expand") ? expandCall(deps) : {}),
    ...(abilities.includes("modify") ? modifyCall(deps) : {}),
    ...(abilities.includes("snapshots") ? snapshotCalls(deps) : {}),
    ...queryCalls(deps),
  };
}

function volumeCalls(deps: MockDeps): ControllerService {
  return {
    async createVolume(request) {
      return { volume: volumeMessage(createVolume(deps, request)) };
    },
    async deleteVolume({ volumeId }) {
      deleteVolume(deps, volumeId);
      return {};
    },
  };
}

function attachCalls(deps: MockDeps): ControllerService {
  return {
    async controllerPublishVolume(request) {
      return { publishContext: publishVolume(deps, request) };
    },
    async controllerUnpublishVolume(request) {
      unpublishVolume(deps, request);
      return {};
    },
  };
}

function expandCall(deps: MockDeps): ControllerService {
  return {
    async controllerExpandVolume(request) {
      const { capacityBytes } = expandVolume(deps, request);
      return { capacityBytes, nodeExpansionRequired: request.volumeCapability?.accessType.case !== "block" };
    },
  };
}

function modifyCall(deps: MockDeps): ControllerService {
  return {
    async controllerModifyVolume(request) {
      modifyVolume(deps, request);
      return {};
    },
  };
}

function snapshotCalls(deps: MockDeps): ControllerService {
  return {
    async createSnapshot(request) {
      return { snapshot: snapshotMessage(createSnapshot(deps, request), deps.settings) };
    },
    async deleteSnapshot({ snapshotId }) {
      deleteSnapshot(deps, snapshotId);
      return {};
    },
  };
}
