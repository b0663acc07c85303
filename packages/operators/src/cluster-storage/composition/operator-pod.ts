import type {
  Affinity,
  Container,
  Deployment,
  EnvVar,
  PodSpec,
  Toleration,
  Volume,
  VolumeMount,
} from "@stowage/machinery";

/** An operator as it is deployed, be it that of storage or that of a driver. */
export interface OperatorPlace {
  /** Of the Deployment, its container and its ServiceAccount. */
  readonly name: string;
  readonly namespace: string;
}

export interface OperatorPodInput extends OperatorPlace {
  readonly image: string;
  /** The words after `stowage`. */
  readonly command: readonly string[];
  readonly verbosity: string;
  readonly env: readonly EnvVar[];
  readonly proxyImage: string;
  /** Of the metrics proxy, about TLS. */
  readonly proxyFlags: readonly string[];
  /**
   * Of the storage operator itself: nobody fits it to the cluster, so it asks for masters without insisting; and nobody else could make
   * its certificate, so it has to start without.
   */
  readonly isAppliedAsItIs?: boolean;
  readonly networkPolicyLabels: readonly string[];
  readonly podAnnotations: Readonly<Record<string, string>>;
}

const METRICS_PORT = 8443;
/** On the loopback: whoever is outside of the Pod has to ask the proxy. */
const LOCAL_METRICS_ADDRESS = "127.0.0.1:8080";
const CERTIFICATE_FOLDER = "/var/run/secrets/serving-cert";

/** One replica: a second one would only wait for the lease. */
export function operatorDeploymentObject(input: OperatorPodInput): Deployment {
  const { name, namespace, networkPolicyLabels, podAnnotations } = input;
  const policies = networkPolicyLabels.map((label) => [`openshift.storage.network-policy.${label}`, "allow"] as const);
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: { name } },
      template: {
        metadata: {
          annotations: {
            ...podAnnotations,
            "target.workload.openshift.io/management": '{"effect": "PreferredDuringScheduling"}',
          },
          labels: { name, ...Object.fromEntries(policies) },
        },
        spec: operatorPodSpec(input),
      },
    },
  };
}

function operatorPodSpec(input: OperatorPodInput): PodSpec {
  return {
    serviceAccountName: input.name,
    priorityClassName: "system-cluster-critical",
    ...(input.isAppliedAsItIs ? { affinity: preferMasters } : { nodeSelector: { [masterRole]: "" } }),
    tolerations,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    containers: [operatorContainer(input), metricsProxy(input)],
    volumes: volumesOf(input),
  };
}

/** Masters are told by one label on OpenShift and by another one elsewhere. */
const masterRole = "node-role.kubernetes.io/master";
const controlPlaneRole = "node-role.kubernetes.io/control-plane";

const preferMasters: Affinity = {
  nodeAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: [masterRole, controlPlaneRole].map((key) => ({
      weight: 100,
      preference: { matchExpressions: [{ key, operator: "Exists" }] },
    })),
  },
};

const tolerations: Toleration[] = [
  { key: "CriticalAddonsOnly", operator: "Exists" },
  { key: masterRole, operator: "Exists", effect: "NoSchedule" },
  { key: controlPlaneRole, operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute", tolerationSeconds: 120 },
  { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 120 },
];

const securityContext: Container["securityContext"] = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  readOnlyRootFilesystem: true,
};

function operatorContainer({ name, image, command, verbosity, env }: OperatorPodInput): Container {
  return {
    name,
    image,
    imagePullPolicy: "IfNotPresent",
    command: ["stowage", ...command],
    args: [`--v=${verbosity}`, `--listen=${LOCAL_METRICS_ADDRESS}`],
    env: [...env, fromPod("POD_NAME", "metadata.name"), fromPod("POD_NAMESPACE", "metadata.namespace")],
    // What it takes, not what the original asks for: that is another program.
    resources: { requests: { cpu: "10m", memory: "80Mi" } },
    securityContext,
    terminationMessagePolicy: "FallbackToLogsOnError",
    volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
  };
}

/** Lets only those at the metrics who may read them; kubelet's questions after the process's health need no rights. */
function metricsProxy({ proxyImage, proxyFlags }: OperatorPodInput): Container {
  const probe = (path: string) => ({ httpGet: { path, port: "metrics", scheme: "HTTPS" as const } });
  return {
    name: "kube-rbac-proxy",
    image: proxyImage,
    imagePullPolicy: "IfNotPresent",
    args: [
      `--secure-listen-address=0.0.0.0:${METRICS_PORT}`,
      `--upstream=http://${LOCAL_METRICS_ADDRESS}/`,
      `--tls-cert-file=${CERTIFICATE_FOLDER}/tls.crt`,
      `--tls-private-key-file=${CERTIFICATE_FOLDER}/tls.key`,
      ...proxyFlags,
      "--ignore-paths=/healthz,/readyz",
      "--logtostderr=true",
    ],
    ports: [{ name: "metrics", containerPort: METRICS_PORT, protocol: "TCP" }],
    readinessProbe: { ...probe("/readyz"), periodSeconds: 10 },
    resources: { requests: { cpu: "10m", memory: "20Mi" } },
    securityContext,
    terminationMessagePolicy: "FallbackToLogsOnError",
    volumeMounts: [certificateMount],
  };
}

const certificateMount: VolumeMount = { name: "serving-cert", mountPath: CERTIFICATE_FOLDER };

function volumesOf({ name, isAppliedAsItIs }: OperatorPodInput): Volume[] {
  const secret = { secretName: `${name}-serving-cert`, ...(isAppliedAsItIs && { optional: true }) };
  return [
    { name: "tmp", emptyDir: { medium: "Memory" } },
    { name: certificateMount.name, secret },
  ];
}

function fromPod(name: string, fieldPath: string): EnvVar {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}
