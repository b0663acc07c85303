import type { ClusterRole, Container, Deployment, KubernetesObject, PodSpec, RoleBinding } from "@stowage/machinery";
import { versionOperatorNamespace as namespace, type VersionOperatorRules } from "@stowage/operators/version";

/** Not the name of OpenShift's own, beside which ours would not start. */
export const versionOperatorName = "stowage-version-operator";
const name = versionOperatorName;
/** Who made what `stowage up` makes. */
export const upFieldManager = "stowage-up";
const rbac = "rbac.authorization.k8s.io";

export interface VersionOperatorInput {
  readonly rules: VersionOperatorRules;
  readonly image: string;
  /** On the machine; without one the image brings the payload. */
  readonly payloadFolder?: string;
  /** Of `stowage payload`, which brings it then: its options. */
  readonly payloadVariables?: Readonly<Record<string, string>>;
}

/** The version operator with the rights that its payload needs; everything else in the cluster comes from that. */
export function versionOperatorObjects(input: VersionOperatorInput): KubernetesObject[] {
  const own = { name, namespace };
  const subjects = [{ kind: "ServiceAccount", ...own }];
  const binding = (kind: "Role" | "ClusterRole") => ({ subjects, roleRef: { apiGroup: rbac, kind, name } });
  const apiVersion = `${rbac}/v1`;
  const { cluster, namespaced } = input.rules;
  const role = { apiVersion, kind: "Role", metadata: own, rules: [...namespaced] };
  const roleBinding: RoleBinding = { apiVersion, kind: "RoleBinding", metadata: own, ...binding("Role") };
  const clusterRole: ClusterRole = { apiVersion, kind: "ClusterRole", metadata: { name }, rules: [...cluster] };
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    { apiVersion: "v1", kind: "ServiceAccount", metadata: own },
    clusterRole,
    { apiVersion, kind: "ClusterRoleBinding", metadata: { name }, ...binding("ClusterRole") },
    role,
    roleBinding,
    deployment(input),
  ];
}

function deployment(input: VersionOperatorInput): Deployment {
  const labels = { name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec(input) },
    },
  };
}

function podSpec(input: VersionOperatorInput): PodSpec {
  const { image, payloadFolder: path } = input;
  const payload = { name: "payload", mountPath: "/payload" };
  const fromPod = (variable: string, fieldPath: string) => ({ name: variable, valueFrom: { fieldRef: { fieldPath } } });
  return {
    serviceAccountName: name,
    priorityClassName: "system-cluster-critical",
    securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    ...(path === undefined && { initContainers: [payloadContainer(input)] }),
    containers: [
      {
        name: "version-operator",
        image,
        imagePullPolicy: "IfNotPresent",
        command: ["stowage", "version-operator"],
        args: ["--payload=/payload", "--v=2"],
        env: [
          fromPod("POD_NAME", "metadata.name"),
          fromPod("POD_NAMESPACE", "metadata.namespace"),
          ...(path === undefined ? [{ name: "RELEASE_IMAGE", value: image }] : []),
        ],
        securityContext: confined,
        terminationMessagePolicy: "FallbackToLogsOnError",
        volumeMounts: [{ ...payload, readOnly: true }],
      },
    ],
    volumes: [
      { name: "payload", ...(path === undefined ? { emptyDir: {} } : { hostPath: { path, type: "Directory" } }) },
    ],
  };
}

const confined = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  readOnlyRootFilesystem: true,
};

/** The image has the payload of its version; only the names of images are not known to it. */
function payloadContainer({ image, payloadVariables = {} }: VersionOperatorInput): Container {
  const variables = { STOWAGE_PAYLOAD_IMAGE: image, ...payloadVariables };
  return {
    name: "payload",
    image,
    imagePullPolicy: "IfNotPresent",
    command: ["stowage", "payload"],
    args: ["/payload"],
    env: Object.entries(variables).map(([variable, value]) => ({ name: variable, value })),
    securityContext: confined,
    terminationMessagePolicy: "FallbackToLogsOnError",
    volumeMounts: [{ name: "payload", mountPath: "/payload" }],
  };
}
