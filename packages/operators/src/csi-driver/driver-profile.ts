import type {
  ClusterCSIDriver,
  ConfigMap,
  DaemonSet,
  Deployment,
  PlatformType,
  PolicyRule,
  Secret,
  StorageClass,
  VolumeSnapshotClass,
} from "@stowage/machinery";
import type { ClusterFacts, ObjectHook, OperatorController, OperatorWatch, WorkloadHook } from "@stowage/operator";
import type { DriverOperatorContext } from "./driver-context.ts";

/** Each sidecar in a container of its own, or all of them in one process. */
export type SidecarsMode = "Separate" | "Combined";

/**
 * A driver as its operator sees it: names, what to watch, and what is its own. Everything else is in the assets, which are made of
 * common bases and the driver's patches (`composition/`). Adding a driver needs a folder with a profile and no new controller.
 */
export interface DriverProfile {
  /** Of the folder, and the argument of commands: `openstack-cinder`. */
  readonly id: string;
  /** The CSI driver's name, which is that of its ClusterCSIDriver too. */
  readonly driverName: string;
  /** `OpenStackCinder`: what the names of controllers and their conditions begin with. */
  readonly conditionPrefix: string;
  /** `openstack-cinder-csi-driver`: what the names of its objects begin with. */
  readonly assetPrefix: string;
  /** `openstack-cinder-csi-driver-operator`: of its finalizers, lease, ConfigMap and user agent. */
  readonly operatorName: string;
  /** Of the driver, wherever its operator may be. */
  readonly namespace: string;
  /** The platform that it is for: what `stowage render` takes where nobody says otherwise. */
  readonly platform: PlatformType;
  /** The image that `stowage render` puts where the environment has no `DRIVER_IMAGE`. An operator never does. */
  readonly usualImage: string;
  /** The composed assets, with placeholders for what only the running operator knows. */
  readonly assets: URL;
  /** Those that there are assets for. The first, unless the ClusterCSIDriver's `unsupportedConfigOverrides` asks for another. */
  readonly sidecars: readonly [SidecarsMode, ...SidecarsMode[]];
  /** Whether the administrator may take the driver away. */
  readonly isRemovable: boolean;
  /** Pods of the controller restart when one of these changes; all are in the driver's namespace. */
  readonly controller: WatchedNames;
  /** Likewise of the node Pods. */
  readonly node: WatchedNames;
  /** Conditions that earlier versions have left behind. */
  readonly staleConditions?: readonly string[];
  /** What makes this driver's objects differ; nothing but what it is given is asked, so that `stowage render` gets the same. */
  readonly ownHooks?: (sources: DriverSources) => DriverHooks;
  /** What this driver alone needs at run time; asked once, when the operator starts. */
  readonly ownParts?: (context: DriverOperatorContext) => DriverParts;
  /** What those parts have to be allowed, by namespace. */
  readonly ownRules?: Readonly<Record<string, readonly PolicyRule[]>>;
}

export interface WatchedNames {
  readonly secrets: readonly string[];
  readonly configMaps: readonly string[];
}

/** What hooks may ask for: local copies in a running operator, what the command line says in `stowage render`. */
export interface DriverSources {
  readonly facts: DriverFacts;
  /** In the driver's namespace. */
  secret(name: string): Secret | undefined;
  /** In the driver's namespace. */
  configMap(name: string): ConfigMap | undefined;
}

/** The part of a `ClusterFactsSource` that hooks need. */
export interface DriverFacts {
  current(signal: AbortSignal): Promise<ClusterFacts>;
}

export interface DriverHooks {
  readonly controllerHooks?: readonly WorkloadHook<Deployment, ClusterCSIDriver>[];
  readonly nodeHooks?: readonly WorkloadHook<DaemonSet, ClusterCSIDriver>[];
  readonly storageClassHooks?: readonly ObjectHook<StorageClass, { readonly operator: ClusterCSIDriver }>[];
  readonly snapshotClassHooks?: readonly ObjectHook<VolumeSnapshotClass, { readonly operator: ClusterCSIDriver }>[];
  /** Values for placeholders of the driver's own, in its workloads. */
  readonly placeholders?: (
    facts: ClusterFacts,
    operator: ClusterCSIDriver,
  ) => Readonly<Record<string, string | undefined>>;
}

export interface DriverParts {
  /** What the hooks look at, beside what is watched anyway. */
  readonly watches?: readonly OperatorWatch[];
  /** `ConfigSync` of Cinder, and the like. */
  readonly controllers?: readonly OperatorController[];
}
