/** A sidecar of the controller, as its original is started. */
export interface ControllerSidecar {
  readonly container: string;
  readonly image: string;
  /** The flag for where metrics are served: two names for the same. */
  readonly metricsFlag: "--http-endpoint" | "--metrics-address";
  /** Of the port that the proxy before it exposes; Kubernetes allows 15 letters. */
  readonly portName: string;
  readonly proxy: string;
  /** The ClusterRole that the storage operator brings for it. */
  readonly role: string;
  readonly binding: string;
}

export type ControllerSidecarName = "provisioner" | "attacher" | "resizer" | "snapshotter";

/** By the names that `stowage sidecars --controllers` has for them, too. */
export const controllerSidecars: Readonly<Record<ControllerSidecarName, ControllerSidecar>> = {
  provisioner: sidecar("provisioner", "--http-endpoint"),
  attacher: sidecar("attacher", "--http-endpoint"),
  resizer: sidecar("resizer", "--http-endpoint"),
  snapshotter: sidecar("snapshotter", "--metrics-address"),
};

function sidecar(name: ControllerSidecarName, metricsFlag: ControllerSidecar["metricsFlag"]): ControllerSidecar {
  return {
    container: `csi-${name}`,
    image: `${name.toUpperCase()}_IMAGE`,
    metricsFlag,
    portName: `${name}-m`,
    proxy: `${name}-kube-rbac-proxy`,
    role: `openshift-csi-main-${name}-role`,
    binding: `csi-main-${name}-binding`,
  };
}
