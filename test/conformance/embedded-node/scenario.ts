import type { MockControl, MockDriverOptions } from "@stowage/drivers";
import type { CSIDriverSpec, KubernetesObject } from "@stowage/machinery";
import type { Scenario as AnyScenario, Scene as AnyScene } from "../embedded-scenarios/scenario.ts";

/** Of a cluster with a node that runs Pods. */
export interface Scene extends AnyScene {
  readonly nodeName: string;
  /** On the machine, for this run alone. */
  readonly folder: string;
  /** Compares the object as it is now, for what does not stay so. */
  show(object: KubernetesObject): void;
  /** The name that this run's driver has, whether it is started or not. */
  readonly driverName: string;
  /** Starts the mock and registers it with the node; the calls that it gets are compared. */
  startDriver(wish?: DriverWish): Promise<Driver>;
}

export interface DriverWish {
  readonly options?: Omit<MockDriverOptions, "nodeId" | "name">;
  /** Of the CSIDriver; without one there is no such object. */
  readonly spec?: CSIDriverSpec;
  readonly sidecars?: readonly SidecarName[];
  /** How often the driver is called in the same way is a matter of time: such calls count once. */
  readonly repeats?: true;
}

export type SidecarName = "provisioner" | "attacher" | "resizer";

export interface Driver {
  readonly control: MockControl;
  /** A volume that no provisioner made; its handle. */
  createVolume(name: string, bytes?: bigint): Promise<string>;
  /** As a driver that crashes. */
  stop(): Promise<void>;
}

export type Scenario = AnyScenario<Scene>;
