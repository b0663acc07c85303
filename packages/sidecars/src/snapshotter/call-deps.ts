import type { ObjectReader } from "@stowage/kube";
import type { KubernetesObject } from "@stowage/machinery";
import type { SidecarDeps } from "../sidecar.ts";
import type { SnapshotterOptions } from "./options.ts";

export interface SnapshotClass extends KubernetesObject {
  driver: string;
}

/** What calls to the driver are made with. */
export interface CallDeps<Class extends SnapshotClass>
  extends Pick<SidecarDeps, "client" | "csi" | "driver" | "clock"> {
  readonly options: SnapshotterOptions;
  readonly classes: ObjectReader<Class>;
}

/** Of a content, by its own word or by that of its class. */
export function isForeign<Class extends SnapshotClass>(
  { driver, classes }: CallDeps<Class>,
  contentDriver: string,
  className: string | undefined,
): boolean {
  const classDriver = className === undefined ? undefined : classes.get({ name: className })?.driver;
  return contentDriver !== driver.name || (classDriver ?? driver.name) !== driver.name;
}
