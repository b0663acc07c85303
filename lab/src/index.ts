/**
 * A real Kubernetes on one machine, for people and for the tests of real components.
 *
 * Reading order:
 * - `cluster/lab.ts`: `startLab` brings a lab up and gives a handle on it, `cluster/stop.ts` brings it down;
 * - `components/`: each component as data (`desiredX`), its flags and how it shows that it is ready;
 * - `build/`: etcd, Kubernetes, csi-sanity, Helm, kustomize and a simulator of vCenter from the Go modules that `lab/go` pins, cached by content;
 * - `certificates/`: keys and X.509 with Node's own cryptography;
 * - `process/`: daemons that outlive the command, found again by more than their process id;
 * - `node/`: what the node level changes on the machine, and how all of it is put back;
 * - `image/`: container images from folders and programs of this machine, without a container engine;
 * - `openstack/`: Debian's Keystone, Cinder and Manila for tests, unpacked and not installed;
 * - `cli/`: `npm run lab -- up | down | status | build`.
 */
export { startTemporaryAws, type TemporaryAws } from "./aws/temporary-aws.ts";
export { type BuildOptions, ensureBinaries } from "./build/build.ts";
export { type BinaryName, binaryNames } from "./build/go-modules.ts";
export { type Lab, type LabOptions, startLab } from "./cluster/lab.ts";
export { choosePorts } from "./cluster/ports.ts";
export type { ExtraFlags, Level } from "./cluster/settings.ts";
export { type ComponentState, type ComponentStatus, isAllUp, type LabStatus, readLabStatus } from "./cluster/status.ts";
export { stopLab } from "./cluster/stop.ts";
export { startTemporaryLab, type TemporaryLabOptions } from "./cluster/temporary-lab.ts";
export type { ComponentName } from "./components/component.ts";
export { hasLabErrorCode, LabError } from "./errors.ts";
export { folderEntries } from "./image/folder-entries.ts";
export { type FolderImage, type ImageConfiguration, writeFolderImage } from "./image/image-archive.ts";
export { imageReferences } from "./image/lab-images.ts";
export { programEntries, toolEntries } from "./image/program-files.ts";
export { rootFileSystem } from "./image/root-file-system.ts";
export { type TarEntry, tarBytes } from "./image/tar.ts";
export { findCommand } from "./node/commands.ts";
export { importImage, runInImage, tagImage } from "./node/images.ts";
export type { CloudAdmin } from "./openstack/cloud-admin.ts";
export { type CloudService, type OpenStackCloud, startTemporaryCloud } from "./openstack/temporary-cloud.ts";
export { type Progress, silentProgress, stderrProgress } from "./progress.ts";
