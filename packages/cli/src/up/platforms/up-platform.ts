import type { Infrastructure } from "@stowage/machinery";
import type { SimulatedCloud } from "./loopback-server.ts";
import type { StandInDriver } from "./stand-in-driver.ts";

/** What a cluster of `stowage up` says that it runs on, and what has to be there for that. */
export interface UpPlatform {
  readonly id: string;
  /** The one that the platform's default class is of, by what its operators call it. */
  readonly driver: PlatformDriver;
  readonly infrastructure: PlatformDescription;
  /** Undefined where the driver is a real one, and nothing has to be simulated. */
  readonly simulation?: Simulation;
}

export interface PlatformDriver {
  /** As CSI knows it. */
  readonly name: string;
  /** The Deployment that the storage operator makes. */
  readonly operatorName: string;
  /** The DaemonSet that this one makes. */
  readonly nodeName: string;
}

export interface PlatformDescription {
  readonly spec: Infrastructure["spec"];
  readonly platformStatus: NonNullable<NonNullable<Infrastructure["status"]>["platformStatus"]>;
}

/** What stands in for a cloud that there is not. */
export interface Simulation {
  /** By the last part of the image's name. */
  readonly standIns: Readonly<Record<string, StandInDriver>>;
  /** What operators ask, at this port if it is free. One that lets everybody in and has nothing, when left out. */
  startCloud?(wantedPort: number | undefined): Promise<SimulatedCloud>;
  /** What the cloud would call the node. */
  providerId(nodeName: string): string;
  /** Where all nodes are. */
  readonly region: string;
  readonly zone: string;
  /** What all machines of the cloud are, beside that. */
  readonly nodeLabels?: Readonly<Record<string, string>>;
  /** Of the CredentialsRequests that are for this cloud. */
  readonly credentialsKind: string;
  /** What every Secret that is asked for holds: nothing that any cloud would take. */
  credentials(cloudUrl: string): Readonly<Record<string, string>>;
  /** What an installer would have left in the cluster. */
  configMaps(cloudUrl: string): readonly InstalledConfigMap[];
}

export interface InstalledConfigMap {
  readonly namespace: string;
  readonly name: string;
  readonly data: Readonly<Record<string, string>>;
}

/** What an installer says of a cluster with so many nodes. */
export function desiredInfrastructure({ infrastructure }: UpPlatform, nodeCount: number): Infrastructure {
  return {
    apiVersion: "config.openshift.io/v1",
    kind: "Infrastructure",
    metadata: { name: "cluster" },
    spec: infrastructure.spec,
    status: {
      infrastructureName: "stowage",
      controlPlaneTopology: "SingleReplica",
      infrastructureTopology: nodeCount > 1 ? "HighlyAvailable" : "SingleReplica",
      platformStatus: infrastructure.platformStatus,
    },
  };
}
