import type { CreateVolumeRequestSchema, MessageInitShape } from "@stowage/csi";
import {
  createMetadataParameters,
  type PersistentVolumeClaim,
  type StorageClass,
  StowageError,
} from "@stowage/machinery";
import { type DriverProfile, volumeCapability } from "../../driver/index.ts";
import type { TopologyRequirementInit } from "../topology/index.ts";
import { requestedBytes, specOf } from "./claim-facts.ts";
import { driverParameters, fsTypeOf } from "./class-parameters.ts";

/** Without secrets always: they are read for each call, and kept nowhere. */
export type CreateRequest = Omit<
  Exclude<MessageInitShape<typeof CreateVolumeRequestSchema>, { $typeName: string }>,
  "secrets"
>;
export type ContentSourceInit = NonNullable<CreateRequest["volumeContentSource"]>;

export interface RequestSubject {
  readonly claim: PersistentVolumeClaim;
  readonly storageClass: StorageClass;
  readonly volumeName: string;
  readonly driver: Pick<DriverProfile, "controller">;
}

export interface RequestSettings {
  readonly defaultFsType: string;
  readonly extraCreateMetadata: boolean;
}

/** What depends on other objects than the claim and its class. */
export interface RequestParts {
  readonly source?: ContentSourceInit;
  readonly topology?: TopologyRequirementInit;
  /** Of the VolumeAttributesClass. */
  readonly mutableParameters?: Readonly<Record<string, string>>;
}

/** Throws CLASS_PARAMETERS_INVALID, CLAIM_UNSUPPORTED, ACCESS_MODES_UNSUPPORTED. */
export function desiredCreateRequest(
  subject: RequestSubject,
  settings: RequestSettings,
  { source, topology, mutableParameters }: RequestParts = {},
): CreateRequest {
  const { claim, storageClass, volumeName, driver } = subject;
  const { selector, accessModes = [], volumeMode } = specOf(claim);
  if (selector !== undefined) {
    throw new StowageError("CLAIM_UNSUPPORTED", "a claim with a selector cannot be provisioned", {
      nextStep: "Remove the selector, or leave out the class to have the claim bound to a volume that exists.",
    });
  }
  const parameters = storageClass.parameters ?? {};
  const wish = {
    volumeMode,
    fsType: fsTypeOf(parameters, settings.defaultFsType),
    mountOptions: storageClass.mountOptions,
  };
  return {
    name: volumeName,
    parameters: { ...driverParameters(parameters), ...(settings.extraCreateMetadata ? metadataOf(subject) : {}) },
    volumeCapabilities: accessModes.map((mode) => volumeCapability(mode, wish, driver)),
    capacityRange: { requiredBytes: requestedBytes(claim) },
    ...(source === undefined ? {} : { volumeContentSource: source }),
    ...(topology === undefined ? {} : { accessibilityRequirements: topology }),
    ...(mutableParameters === undefined ? {} : { mutableParameters: { ...mutableParameters } }),
  };
}

function metadataOf({ claim, volumeName }: RequestSubject): Record<string, string> {
  return {
    [createMetadataParameters.claimName]: claim.metadata.name ?? "",
    [createMetadataParameters.claimNamespace]: claim.metadata.namespace ?? "",
    [createMetadataParameters.volumeName]: volumeName,
  };
}
