import type { PolicyRule } from "@stowage/machinery";
import type { Asset } from "@stowage/operator";
import type { SidecarsMode } from "../driver-profile.ts";
import type { ControllerSidecarName } from "./sidecar-table.ts";

/**
 * What a driver's assets are made of, beside its patches. `patches/` has a file for each base that the driver changes, by the name of
 * the asset: `controller.yaml` is merged into the Deployment of each mode, `controller-combined.yaml` into that of one. A file
 * `*.yaml.patch` is a JSON patch, and comes last. One without a base is an asset of the driver's own.
 */
export interface DriverComposition {
  /** `openstack-cinder-csi-driver` */
  readonly assetPrefix: string;
  /** `openstack-cinder`: of what has no namespace, and so needs no more than that to be told apart. */
  readonly assetShortPrefix: string;
  readonly driverName: string;
  readonly modes: readonly SidecarsMode[];
  /** The driver's image is ours, and has the command for everything else too: no other image is needed. */
  readonly isOwnImage?: boolean;
  /** Left out: the driver makes its volumes on each node by itself. */
  readonly controller?: ControllerComposition;
  readonly node: NodeComposition;
}

/** A loopback port that a container serves its metrics at, and the one that the proxy before it exposes. */
export interface MetricsPorts {
  readonly local: number;
  readonly exposed: number;
}

export interface SidecarUse<Name extends string = ControllerSidecarName> {
  readonly name: Name;
  /** Beside those that every driver has: `--timeout=3m`. */
  readonly flags?: readonly string[];
}

export interface ControllerComposition {
  readonly livenessPort: number;
  /** Of the driver; those of the sidecars follow, one by one. */
  readonly metrics: MetricsPorts;
  /** The driver itself has no metrics: `metrics` are free, and the first sidecar's follow all the same. */
  readonly servesNoMetrics?: boolean;
  /** Of the first sidecar, where the driver has its port fixed and others may follow it. */
  readonly sidecarMetrics?: MetricsPorts;
  /** Of further containers of the driver's own patch: `syncer`. */
  readonly furtherMetrics?: readonly NodeMetrics[];
  readonly sidecars: readonly SidecarUse[];
  readonly livenessFlags?: readonly string[];
  /** Whether snapshots can be restored, for which the provisioner reads them. */
  readonly restoresSnapshots?: boolean;
  /** Whether claims may have a VolumeAttributesClass. */
  readonly hasAttributesClasses?: boolean;
}

export interface NodeComposition {
  /** With the registrar and the liveness probe; a driver of ours needs neither. */
  readonly registrar?: NodeRegistrar;
  /** What each node exposes: containers of the driver's own patch, with the proxies before them. */
  readonly metrics?: readonly NodeMetrics[];
  /** Where the driver's controller runs on each node: all in one, beside it. */
  readonly sidecars?: NodeSidecars;
}

export interface NodeRegistrar {
  readonly livenessPort: number;
  readonly livenessFlags?: readonly string[];
  readonly healthPort: number;
  /** The driver's Pods are not in the host's network, so kubelet does not find them on the loopback. */
  readonly isInPodNetwork?: boolean;
}

export interface NodeMetrics extends MetricsPorts {
  /** `driver`: of the port `driver-m`, and of the proxy. */
  readonly name: string;
}

export interface NodeSidecars {
  readonly sidecars: readonly SidecarUse[];
  readonly metrics: MetricsPorts;
  /** Of all of them, beside those that every driver has. */
  readonly flags?: readonly string[];
}

/** What the all-in-one must be allowed, by the table of its own package: given by whoever composes. */
export interface SidecarRules {
  readonly cluster: readonly PolicyRule[];
  /** In the namespace that it runs in. */
  readonly namespaced: readonly PolicyRule[];
}

export interface CompositionInput {
  readonly composition: DriverComposition;
  readonly patches: readonly Asset[];
  readonly rules: SidecarRules;
}
