import { join } from "node:path";
import { uniqueCsiVolumeName } from "@stowage/machinery";
import { type CsiPaths, devicesFolder, pluginFolder } from "../csi/csi-paths.ts";
import { entriesOf } from "../csi/device-staging.ts";
import { readVolumeData, type VolumeData } from "../csi/volume-data.ts";
import type { ActualVolumes } from "./actual-volumes.ts";

/**
 * Writes down what an earlier agent left on the node. What the kernel shows as mounted is there; of the rest nothing is known, so that it is
 * asked for again or undone.
 */
export function findVolumes(paths: CsiPaths, mountPoints: ReadonlySet<string>, actual: ActualVolumes): void {
  for (const podUid of entriesOf(paths.pods)) {
    for (const specName of entriesOf(join(paths.pod(podUid), "volumes", pluginFolder))) {
      findPublished(paths, mountPoints, actual, { podUid, specName });
    }
  }
  for (const driver of entriesOf(paths.plugin)) {
    if (driver === devicesFolder) continue;
    for (const digest of entriesOf(join(paths.plugin, driver)))
      findStaged(join(paths.plugin, driver, digest), mountPoints, actual);
  }
  findDevices(paths, mountPoints, actual);
}

function findPublished(
  paths: CsiPaths,
  mountPoints: ReadonlySet<string>,
  actual: ActualVolumes,
  { podUid, specName }: { readonly podUid: string; readonly specName: string },
): void {
  const { path, dataPath } = paths.published(podUid, specName);
  const data = readVolumeData(dataPath);
  // Without it nothing was asked of a driver.
  if (data === undefined) return;
  const isInline = data.volumeLifecycleMode === "Ephemeral";
  const name = isInline ? `kubernetes.io/csi/${podUid}-${specName}` : uniqueName(data);
  const isThere = mountPoints.has(path);
  const volume = actual.ensure({ ...identityOf(data, specName), uniqueName: name, isInline, isBlock: false });
  volume.pods.set(podUid, { specName, presence: isThere ? "yes" : "uncertain", wasFound: true });
  if (isInline) return;
  // What a Pod has been given was staged before.
  volume.wasFound = true;
  volume.staged = isThere ? "yes" : volume.staged === "no" ? "uncertain" : volume.staged;
}

function findStaged(folder: string, mountPoints: ReadonlySet<string>, actual: ActualVolumes): void {
  const data = readVolumeData(join(folder, "vol_data.json"));
  if (data === undefined) return;
  const isNew = actual.get(uniqueName(data)) === undefined;
  const volume = actual.ensure({
    ...identityOf(data, ""),
    uniqueName: uniqueName(data),
    isInline: false,
    isBlock: false,
  });
  volume.wasFound = true;
  if (mountPoints.has(join(folder, "globalmount"))) volume.staged = "yes";
  else if (isNew) volume.staged = "uncertain";
}

function findDevices(paths: CsiPaths, mountPoints: ReadonlySet<string>, actual: ActualVolumes): void {
  const devices = join(paths.plugin, devicesFolder);
  for (const specName of entriesOf(devices)) {
    const data = readVolumeData(paths.stagedDevice(specName).dataPath);
    if (data === undefined) continue;
    const volume = actual.ensure({
      ...identityOf(data, specName),
      uniqueName: uniqueName(data),
      isInline: false,
      isBlock: true,
    });
    volume.wasFound = true;
    volume.staged = "uncertain";
    const users = [paths.deviceMaps(specName), join(devices, "publish", specName)].flatMap(entriesOf);
    for (const podUid of new Set(users)) {
      const isThere = mountPoints.has(join(paths.deviceMaps(specName), podUid));
      volume.pods.set(podUid, { specName, presence: isThere ? "yes" : "uncertain", wasFound: true });
      if (isThere) volume.staged = "yes";
    }
  }
}

const uniqueName = ({ driverName, volumeHandle }: VolumeData) => uniqueCsiVolumeName(driverName, volumeHandle);

function identityOf(data: VolumeData, specName: string) {
  return {
    specName: data.specVolID ?? specName,
    driver: data.driverName,
    volumeHandle: data.volumeHandle,
  };
}
