import { isNotFound } from "@stowage/kube";
import {
  type PersistentVolumeClaim,
  type StorageClass,
  StowageError,
  volumeAttributesClasses,
} from "@stowage/machinery";
import type { Intent } from "../intents/index.ts";
import type { Provisioning } from "../provisioning.ts";
import {
  type CreateRequest,
  desiredCreateRequest,
  desiredVolumeTemplate,
  provisionerSecretRef,
  selectedNodeOf,
  specOf,
  uidOf,
  type VolumeTemplate,
} from "../requests/index.ts";
import { type DataSource, prepareContentSource } from "../sources/index.ts";

/** A claim that is to be provisioned. */
export interface ClaimSubject {
  readonly claim: PersistentVolumeClaim;
  readonly storageClass: StorageClass;
  readonly volumeName: string;
  readonly source: Exclude<DataSource, { kind: "populator" }> | undefined;
}

/** What to ask of the driver, and the PV to make of its answer. */
export interface VolumePlan {
  readonly intent: Intent;
  readonly template: VolumeTemplate;
}

/** Protects the claim's source as well. Throws whatever the claim lacks. */
export async function planVolume(p: Provisioning, subject: ClaimSubject): Promise<VolumePlan> {
  const { claim, storageClass, volumeName } = subject;
  requireCapabilities(p);
  const template = templateFor(p, subject);
  // An earlier call for this very request may still be at work: only the same one again tells how it ended.
  const known = p.intents.get(uidOf(claim));
  if (known?.isPinned === true) return { intent: known.intent, template };
  const driverName = p.driver.name;
  const intent: Intent = {
    claim: { namespace: claim.metadata.namespace ?? "", name: claim.metadata.name ?? "", uid: uidOf(claim) },
    volumeName,
    className: storageClass.metadata.name ?? "",
    secretRef: provisionerSecretRef({ claim, storageClass, volumeName, driverName }),
    request: await requestFor(p, subject),
    ...(storageClass.reclaimPolicy === "Retain" ? { retained: template } : {}),
  };
  return { intent, template };
}

function templateFor({ driver, options, identity }: Provisioning, subject: ClaimSubject): VolumeTemplate {
  return desiredVolumeTemplate({ ...subject, driverName: driver.name }, { ...options, identity });
}

async function requestFor(p: Provisioning, subject: ClaimSubject): Promise<CreateRequest> {
  const { claim, storageClass, source } = subject;
  const settled = { ...subject, driver: p.driver };
  // What is wrong with the claim itself is said before others are asked.
  desiredCreateRequest(settled, p.options);
  const mutableParameters = await attributesOf(p, claim);
  const { allowedTopologies } = storageClass;
  const topology = p.topology.requirementFor({ claim, allowedTopologies, selectedNode: selectedNodeOf(claim) });
  const content = source === undefined ? undefined : await prepareContentSource(sourceDeps(p, claim), claim, source);
  return desiredCreateRequest(settled, p.options, { source: content, topology, mutableParameters });
}

function sourceDeps(p: Provisioning, claim: PersistentVolumeClaim) {
  const { preventVolumeModeConversion } = p.options;
  const nodeName = p.hooks.node === undefined ? undefined : selectedNodeOf(claim);
  return { ...p, claims: p.claims.objects, volumes: p.volumes.objects, preventVolumeModeConversion, nodeName };
}

function requireCapabilities({ driver }: Provisioning): void {
  const missing = !driver.plugin.has("CONTROLLER_SERVICE")
    ? "CONTROLLER_SERVICE"
    : driver.controller.has("CREATE_DELETE_VOLUME")
      ? undefined
      : "CREATE_DELETE_VOLUME";
  if (missing === undefined) return;
  throw new StowageError("CLAIM_UNSUPPORTED", `the driver ${driver.name} cannot make volumes: it has no ${missing}`);
}

/** What the claim's VolumeAttributesClass asks for. */
async function attributesOf(
  { client, driver }: Provisioning,
  claim: PersistentVolumeClaim,
): Promise<Record<string, string> | undefined> {
  const name = specOf(claim).volumeAttributesClassName;
  if (!name) return undefined;
  const unsupported = (message: string) => new StowageError("CLAIM_UNSUPPORTED", message);
  if (!driver.controller.has("MODIFY_VOLUME"))
    throw unsupported(`the driver ${driver.name} has no VolumeAttributesClasses: it has no MODIFY_VOLUME`);
  const attributes = await client.get(volumeAttributesClasses, { name }).catch((error: unknown) => {
    throw isNotFound(error) ? unsupported(`the VolumeAttributesClass ${name} of the claim does not exist`) : error;
  });
  if (attributes.driverName !== driver.name)
    throw unsupported(`the VolumeAttributesClass ${name} is for ${attributes.driverName}, not for ${driver.name}`);
  return attributes.parameters ?? {};
}
