import type { CallRecord, MockControl, MockDriverOptions } from "@stowage/drivers";
import type { CSIDriverSpec, KubernetesObject } from "@stowage/machinery";
import type { Scenario as AnyScenario, Scene as AnyScene } from "../../cluster/embedded-scenarios/scenario.ts";

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
  /** The mock as a process of its own, which can be killed; the calls that it gets are compared. */
  startMortalDriver(): Promise<MortalDriver>;
  /** The node's agent is killed, which on our side is all of the cluster, and started again. For scenarios that are played alone. */
  restartAgent(): Promise<void>;
}

export interface DriverWish {
  readonly options?: Omit<MockDriverOptions, "nodeId" | "name">;
  /** Of the CSIDriver; without one there is no such object. */
  readonly spec?: CSIDriverSpec;
  readonly sidecars?: readonly SidecarName[];
  /** How often the driver is called in the same way is a matter of time: such calls count once. */
  readonly repeats?: true;
  /** Volumes are published as real devices where that is asked for. */
  readonly devices?: true;
}

export type SidecarName = "provisioner" | "attacher" | "resizer";

/** Whose calls are recorded. */
export interface RecordingDriver {
  /** Oldest first. */
  calls(): Promise<readonly CallRecord[]>;
  /** A volume that no provisioner made; its handle. */
  createVolume(name: string, bytes?: bigint): Promise<string>;
}

export interface Driver extends RecordingDriver {
  readonly control: MockControl;
  /** As a driver that is told to end. */
  stop(): Promise<void>;
}

export interface MortalDriver extends RecordingDriver {
  /** As a crash: its sockets stay. */
  kill(): Promise<void>;
  /** Resolves when the node's agent has registered it again. */
  start(): Promise<void>;
}

export type Scenario = AnyScenario<Scene>;
