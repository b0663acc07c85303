import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Driver } from "@stowage/csi";
import { createMockDriver } from "@stowage/drivers";
import {
  type ClusterRole,
  type ClusterRoleBinding,
  type CSIDriver,
  type Deployment,
  type KubernetesObject,
  localCSIDriver,
  type PolicyRule,
} from "@stowage/machinery";
import { driverOperators } from "@stowage/operators/cluster-storage";
import { driverIds, loadDriverProfile, renderDriver } from "@stowage/operators/csi-driver";
import { defaultProfile, readPayload, writeShippedPayload } from "@stowage/operators/version";
import { attacherRules, provisionerRules, resizerRules, snapshotterRules, topologyRules } from "@stowage/sidecars";
import { describe, expect, it } from "vitest";
import { upPlatforms } from "./platform-table.ts";
import type { StandInDriver } from "./stand-in-driver.ts";

// What a stand-in offers, against what the assets of its driver's operator allow the sidecars beside it: a watch that is refused ends them.

/** What the mock driver is when it is told what its stand-in is. */
function mockOf({ driverName = "", abilities = [], topology = {} }: StandInDriver): Driver {
  const attaches = abilities.includes("attach");
  const others = abilities.filter((each) => each !== "attach");
  return createMockDriver({ nodeId: "node-1", name: driverName, attaches, abilities: others, topology }).driver;
}

/** What sidecars ask of the API server only for a driver that can do the like. */
function isAskedFor({ controller, groupController }: Driver, resource: string, group: string): boolean {
  if (group === "groupsnapshot.storage.k8s.io") return groupController !== undefined;
  if (group === "snapshot.storage.k8s.io") return controller?.createSnapshot !== undefined;
  if (resource === "volumeattributesclasses") return controller?.controllerModifyVolume !== undefined;
  if (resource.startsWith("volumeattachments")) return controller?.controllerPublishVolume !== undefined;
  return true;
}

const rulesOfSidecars: Readonly<Record<string, (driver: Driver) => readonly PolicyRule[]>> = {
  "csi-provisioner": ({ traits }) => [
    ...provisionerRules.cluster,
    ...(traits?.hasTopology === true ? topologyRules.cluster : []),
  ],
  "csi-attacher": () => attacherRules.cluster,
  "csi-resizer": () => resizerRules.cluster,
  "csi-snapshotter": () => snapshotterRules.cluster,
};

/** `patch volumeattachments/status.storage.k8s.io` */
function permissionsOf(rules: readonly PolicyRule[], isMeant = (_resource: string, _group: string) => true): string[] {
  return rules.flatMap(({ apiGroups = [], resources = [], verbs }) =>
    apiGroups.flatMap((group) =>
      resources
        .filter((resource) => isMeant(resource, group))
        .flatMap((resource) => verbs.map((verb) => `${verb} ${resource}.${group}`)),
    ),
  );
}

/** The ClusterRoles that the payload brings for the sidecars of every driver. */
async function shippedObjects(): Promise<KubernetesObject[]> {
  const directory = mkdtempSync(join(tmpdir(), "stand-in-rights-"));
  try {
    writeShippedPayload(directory, { version: "1.0.0" });
    const { manifests } = await readPayload({ directory, image: "", profile: defaultProfile });
    return manifests.map(({ object }) => object);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function renderedObjects(driverName: string): Promise<KubernetesObject[]> {
  const profiles = await Promise.all(driverIds.map((id) => loadDriverProfile(id)));
  const profile = profiles.find((each) => each.driverName === driverName);
  if (profile === undefined) throw new Error(`no operator is for ${driverName}`);
  const cluster = {
    topology: "SingleReplica",
    clusterId: "x",
    logLevel: "Normal",
    tlsProfile: "Intermediate",
  } as const;
  return renderDriver(profile, { cluster, env: {} });
}

interface OfDriver {
  readonly sidecars: readonly string[];
  readonly allowed: ReadonlySet<string>;
  readonly attachRequired: boolean | undefined;
}

async function ofDriver(driverName: string): Promise<OfDriver> {
  const objects = [...(await shippedObjects()), ...(await renderedObjects(driverName))];
  const ofKind = <T extends KubernetesObject>(kind: string) => objects.filter((each) => each.kind === kind) as T[];
  const pod = ofKind<Deployment>("Deployment")
    .map(({ spec }) => spec?.template.spec)
    .find((spec) => spec?.containers.some(({ name }) => name === "csi-provisioner"));
  const roles = ofKind<ClusterRoleBinding>("ClusterRoleBinding")
    .filter(({ subjects = [] }) => subjects.some(({ name }) => name === pod?.serviceAccountName))
    .map(({ roleRef }) => roleRef.name);
  const rules = ofKind<ClusterRole>("ClusterRole")
    .filter(({ metadata }) => roles.includes(metadata.name ?? ""))
    .flatMap((role) => role.rules ?? []);
  return {
    sidecars: (pod?.containers ?? []).map(({ name }) => name).filter((name) => Object.hasOwn(rulesOfSidecars, name)),
    allowed: new Set(permissionsOf(rules)),
    attachRequired: ofKind<CSIDriver>("CSIDriver")[0]?.spec.attachRequired,
  };
}

/** By name: SMB's is every platform's. */
const standIns = new Map(
  Object.values(upPlatforms).flatMap(({ simulation }) =>
    Object.values(simulation?.standIns ?? {}).flatMap((standIn) =>
      standIn.driverName === undefined || standIn.isCompanion ? [] : [[standIn.driverName, standIn] as const],
    ),
  ),
);

it("is looked at for every driver that the storage operator can start on a cloud", () => {
  const ofClouds = driverOperators.map(({ driverName }) => driverName).filter((name) => name !== localCSIDriver);
  expect([...standIns.keys()].toSorted()).toEqual(ofClouds.toSorted());
});

describe.each([...standIns])("the stand-in for %s", (driverName, standIn) => {
  const driver = mockOf(standIn);

  it("offers nothing that its sidecars have no rights for", async () => {
    const { sidecars, allowed } = await ofDriver(driverName);
    expect(sidecars).toContain("csi-provisioner");
    const asked = sidecars.flatMap((name) =>
      permissionsOf(rulesOfSidecars[name]?.(driver) ?? [], (resource, group) => isAskedFor(driver, resource, group)),
    );
    expect(asked.filter((permission) => !allowed.has(permission))).toEqual([]);
  });

  it("offers what the driver's sidecars are there for", async () => {
    const { sidecars, attachRequired } = await ofDriver(driverName);
    const { controllerPublishVolume, controllerExpandVolume, createSnapshot } = driver.controller ?? {};
    expect(controllerPublishVolume !== undefined).toBe(attachRequired);
    expect(controllerExpandVolume !== undefined).toBe(sidecars.includes("csi-resizer"));
    expect(createSnapshot !== undefined).toBe(sidecars.includes("csi-snapshotter"));
  });
});
