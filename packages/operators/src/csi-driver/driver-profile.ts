import type {
  ClusterCSIDriver,
  ConfigMap,
  CSIDriver,
  DaemonSet,
  Deployment,
  PlatformType,
  PolicyRule,
  Secret,
  StorageClass,
  VolumeSnapshotClass,
} from "@stowage/machinery";
import type {
  ClusterFacts,
  CredentialsHook,
  Environment,
  HookContext,
  HostedFacts,
  ObjectHook,
  OperatorController,
  OperatorWatch,
  WorkloadHook,
} from "@stowage/operator";
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
  /** Further images that the assets have: placeholder, which is the variable's name too → what `stowage render` puts there. */
  readonly ownImages?: Readonly<Record<string, string>>;
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
  /** What is looked at in the driver's namespace beside these, by its own parts: the content of other Secrets is not kept. */
  readonly readsSecrets?: readonly string[];
  /** Workloads beside the two that every driver has. */
  readonly companions?: readonly DriverCompanion[];
  /** Conditions that earlier versions have left behind. */
  readonly staleConditions?: readonly string[];
  /** Whether hooks ask for the cluster's feature gates, which are not watched otherwise. */
  readonly readsFeatureGates?: boolean;
  /** What fits the driver's CredentialsRequests to the cluster, from the operator's environment; see `assets/`. */
  readonly credentialsHooks?: (env: Environment) => readonly CredentialsHook[];
  /** How it runs where the control plane is Pods of another cluster. Left out: it does not, and its operator refuses to start there. */
  readonly hosted?: HostedProfile;
  /** What makes this driver's objects differ; nothing but what it is given is asked, so that `stowage render` gets the same. */
  readonly ownHooks?: (sources: DriverSources) => DriverHooks;
  /** What this driver alone needs at run time; asked once, when the operator starts. */
  readonly ownParts?: (context: DriverOperatorContext) => DriverParts;
  /** What those parts have to be allowed, by namespace. */
  readonly ownRules?: Readonly<Record<string, readonly PolicyRule[]>>;
  /** Likewise, in the whole cluster. */
  readonly ownClusterRules?: readonly PolicyRule[];
}

/** HyperShift: the driver's controller is beside the control plane, and its nodes are in the guest. */
export interface HostedProfile {
  /** Of the controller, beside the sidecars: those that talk to the guest's API server. */
  readonly guestContainers?: readonly string[];
  /** Pods of the controller restart when one of these changes, which are in the control plane's namespace; left out: by the usual names. */
  readonly controller?: WatchedNames;
  /** How it gets into the cloud from there. */
  readonly hooks?: (sources: HostedSources) => readonly WorkloadHook<Deployment>[];
  /** What its own parts have to be allowed in the control plane's namespace. */
  readonly rules?: readonly PolicyRule[];
  /** What its own parts have to be allowed in the whole guest, and nowhere else. */
  readonly guestRules?: readonly PolicyRule[];
}

/** A workload of the driver's own: an admission webhook, or the driver that another one forwards to. */
export interface DriverCompanion {
  readonly kind: "Deployment" | "DaemonSet";
  /** Its file among the assets: `companion-webhook.yaml`. */
  readonly asset: string;
  /** Of its conditions too: renaming it leaves the old ones behind. */
  readonly controllerName: string;
  /** Its Pods restart when one of these changes. */
  readonly restartsFor: WatchedNames;
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
  /** Whether the controller is beside a hosted control plane; no, when left out. */
  readonly isHosted?: boolean;
  /** Whether the machine that the operator is on keeps to FIPS: all of a cluster do, or none. No, when left out. */
  readonly isFipsHost?: boolean;
  /** The cluster's feature gates that are on; none when left out. */
  enabledGates?(signal: AbortSignal): Promise<ReadonlySet<string>>;
}

/** The part of a `ClusterFactsSource` that hooks need. */
export interface DriverFacts {
  current(signal: AbortSignal): Promise<ClusterFacts>;
}

/** Likewise beside a hosted control plane, for the controller alone: Secrets and ConfigMaps are those of that namespace. */
export interface HostedSources extends DriverSources {
  /** Of the operator. */
  readonly env: Environment;
  readonly controlPlane: HostedFacts;
}

export interface DriverHooks {
  readonly controllerHooks?: readonly WorkloadHook<Deployment, ClusterCSIDriver>[];
  readonly nodeHooks?: readonly WorkloadHook<DaemonSet, ClusterCSIDriver>[];
  readonly csiDriverHooks?: readonly ObjectHook<CSIDriver, HookContext<ClusterCSIDriver>>[];
  /** Whether a class is for this cluster at all. One that is not is left alone, should there be such a class. */
  readonly wantsStorageClass?: (storageClass: StorageClass, facts: ClusterFacts) => boolean;
  readonly storageClassHooks?: readonly ObjectHook<StorageClass, HookContext<ClusterCSIDriver>>[];
  readonly snapshotClassHooks?: readonly ObjectHook<VolumeSnapshotClass, HookContext<ClusterCSIDriver>>[];
  /** Values for placeholders of the driver's own, in its workloads. */
  readonly placeholders?: (
    facts: ClusterFacts,
    operator: ClusterCSIDriver,
  ) => Readonly<Record<string, string | undefined>>;
}

export interface DriverParts {
  /** What the hooks look at, beside what is watched anyway. */
  readonly watches?: readonly OperatorWatch[];
  /** `ConfigSync` of Cinder, and the like: workloads wait until each has looked once. */
  readonly controllers?: readonly OperatorController[];
  /** Those that no workload needs. */
  readonly followers?: readonly OperatorController[];
  /** Nothing of the driver is made before it opens. */
  readonly gate?: DriverGate;
  /** No StorageClass is made before it opens: what one names has to be in the cloud first. */
  readonly classGate?: DriverGate;
}

/** Whether a driver can be of any use here: a cloud may lack its service. */
export interface DriverGate {
  /** Looks, says what it finds, and opens. */
  readonly controller: OperatorController;
  /** Resolves when what is behind it may start, and then for good: a driver that was installed is looked after. */
  readonly opened: Promise<void>;
}
