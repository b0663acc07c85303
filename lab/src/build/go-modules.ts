/**
 * What the lab builds: a folder of `lab/go` each, whose go.mod pins the version (it is said nowhere else), and the
 * packages in it that become binaries.
 */
export interface GoModule {
  readonly folder: string;
  /** The requirement in go.mod whose version is the components' version. */
  readonly versionOf?: string;
  /** Go variables that take the version at link time, beside `-s -w`. */
  readonly versionVariables?: (version: string) => Record<string, string>;
  readonly binaries: Readonly<Record<string, string>>;
}

const COMPONENT_BASE = "k8s.io/component-base/version";

/** In the order of their size, so that a first build soon shows something done. */
const goModules = [
  { folder: "pause", binaries: { pause: "." } },
  {
    folder: "csi-sanity",
    versionOf: "github.com/kubernetes-csi/csi-test/v5",
    binaries: { "csi-sanity": "github.com/kubernetes-csi/csi-test/v5/cmd/csi-sanity" },
  },
  {
    folder: "kustomize",
    versionOf: "sigs.k8s.io/kustomize/kustomize/v5",
    binaries: { kustomize: "sigs.k8s.io/kustomize/kustomize/v5" },
  },
  {
    folder: "vcsim",
    versionOf: "github.com/vmware/govmomi",
    binaries: { vcsim: "." },
  },
  {
    folder: "helm",
    versionOf: "helm.sh/helm/v3",
    binaries: { helm: "helm.sh/helm/v3/cmd/helm" },
  },
  {
    folder: "etcd",
    versionOf: "go.etcd.io/etcd/server/v3",
    binaries: { etcd: "go.etcd.io/etcd/server/v3" },
  },
  {
    folder: "kubernetes",
    versionOf: "k8s.io/kubernetes",
    versionVariables: kubernetesVersionVariables,
    binaries: {
      "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
      "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
      "kube-scheduler": "k8s.io/kubernetes/cmd/kube-scheduler",
      kubectl: "k8s.io/kubernetes/cmd/kubectl",
      kubelet: "k8s.io/kubernetes/cmd/kubelet",
      "kube-proxy": "k8s.io/kubernetes/cmd/kube-proxy",
    },
  },
] as const satisfies readonly GoModule[];

type KeysOfEach<T> = T extends unknown ? keyof T : never;

export type BinaryName = KeysOfEach<(typeof goModules)[number]["binaries"]>;

export const binaryNames = goModules.flatMap((module) => Object.keys(module.binaries)) as BinaryName[];

export function moduleOf(binary: BinaryName): GoModule {
  const found = goModules.find((module) => binary in module.binaries);
  if (found === undefined) throw new TypeError(`no Go module builds ${binary}`);
  return found;
}

/** Without these the API server calls itself v0.0.0-master, and clients that ask for its version are misled. */
function kubernetesVersionVariables(version: string): Record<string, string> {
  const [major = "", minor = ""] = version.slice(1).split(".");
  return {
    [`${COMPONENT_BASE}.gitVersion`]: version,
    [`${COMPONENT_BASE}.gitMajor`]: major,
    [`${COMPONENT_BASE}.gitMinor`]: minor,
  };
}
