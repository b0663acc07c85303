import type { Container } from "@stowage/machinery";
import type { MetricsPorts, NodeRegistrar, SidecarUse } from "./driver-composition.ts";
import type { ControllerSidecar } from "./sidecar-table.ts";

/** `${NAME}`, for the running operator to fill in. */
export function runtime(name: string): string {
  return `\${${name}}`;
}

const logFlag = `--v=${runtime("LOG_LEVEL")}`;
const driverSocket = "/csi/csi.sock";

/** Where the sidecars of a controller see the driver's socket. */
const sidecarSocketFolder = "/var/lib/csi/sockets/pluginproxy/";

/** What all containers have that are not the driver's. */
function container(
  name: string,
  image: string,
  { command, args, memory = "50Mi", ...own }: { args: string[]; memory?: string } & Partial<Container>,
): Container {
  return {
    name,
    image: runtime(image),
    imagePullPolicy: "IfNotPresent",
    ...(command !== undefined && { command }),
    args,
    resources: { requests: { cpu: "10m", memory } },
    terminationMessagePolicy: "FallbackToLogsOnError",
    ...own,
    securityContext: { readOnlyRootFilesystem: true, ...own.securityContext },
  };
}

/** Lets only those at the metrics who may read them. */
export function rbacProxy(name: string, portName: string, ports: MetricsPorts): Container {
  return proxy(name, portName, { ports, image: "KUBE_RBAC_PROXY_IMAGE", memory: "20Mi" });
}

/** The same by our own command, in a driver's image that has it: for clusters with no other image. */
export function ownRbacProxy(name: string, portName: string, ports: MetricsPorts): Container {
  const command = ["stowage", "rbac-proxy"];
  return proxy(name, portName, { ports, image: "DRIVER_IMAGE", memory: "50Mi", command });
}

interface ProxyParts {
  readonly ports: MetricsPorts;
  readonly image: string;
  readonly memory: string;
  readonly command?: string[];
}

function proxy(name: string, portName: string, { ports: { local, exposed }, image, memory, command }: ProxyParts) {
  return container(name, image, {
    memory,
    command,
    args: [
      `--secure-listen-address=0.0.0.0:${exposed}`,
      `--upstream=http://127.0.0.1:${local}/`,
      "--tls-cert-file=/etc/tls/private/tls.crt",
      "--tls-private-key-file=/etc/tls/private/tls.key",
      `--tls-cipher-suites=${runtime("TLS_CIPHER_SUITES")}`,
      `--tls-min-version=${runtime("TLS_MIN_VERSION")}`,
      "--logtostderr=true",
    ],
    ports: [{ name: portName, containerPort: exposed, protocol: "TCP" }],
    volumeMounts: [{ name: "metrics-serving-cert", mountPath: "/etc/tls/private" }],
  });
}

const leaderElectionFlags = [
  "--leader-election",
  `--leader-election-lease-duration=${runtime("LEADER_ELECTION_LEASE_DURATION")}`,
  `--leader-election-renew-deadline=${runtime("LEADER_ELECTION_RENEW_DEADLINE")}`,
  `--leader-election-retry-period=${runtime("LEADER_ELECTION_RETRY_PERIOD")}`,
  `--leader-election-namespace=${runtime("NODE_NAMESPACE")}`,
];

/** A sidecar in a container of its own. */
export function sidecarContainer(
  { container: name, image, metricsFlag }: ControllerSidecar,
  { local }: MetricsPorts,
  flags: readonly string[],
): Container {
  return container(name, image, {
    args: [
      `--csi-address=${sidecarSocketFolder}csi.sock`,
      `${metricsFlag}=localhost:${local}`,
      ...leaderElectionFlags,
      logFlag,
      ...flags,
    ],
    volumeMounts: [{ name: "socket-dir", mountPath: sidecarSocketFolder }],
  });
}

/** All sidecars in one process, which elects one leader for all of them. */
export function combinedContainer(sidecars: readonly SidecarUse[], { local }: MetricsPorts): Container {
  return combined(sidecars, "SIDECARS_IMAGE", {
    args: [
      `--csi-address=${sidecarSocketFolder}csi.sock`,
      `--http-endpoint=localhost:${local}`,
      ...leaderElectionFlags,
      logFlag,
    ],
    env: [fromPod("POD_NAMESPACE", "metadata.namespace")],
    volumeMounts: [{ name: "socket-dir", mountPath: sidecarSocketFolder }],
  });
}

/** The same on each node, for its volumes alone: nobody leads, and the driver's image has the command too. */
export function nodeCombinedContainer(
  sidecars: readonly SidecarUse[],
  { local }: MetricsPorts,
  flags: readonly string[],
): Container {
  return combined(sidecars, "DRIVER_IMAGE", {
    args: [`--csi-address=${driverSocket}`, `--http-endpoint=127.0.0.1:${local}`, logFlag, ...flags],
    env: [
      fromPod("NODE_NAME", "spec.nodeName"),
      fromPod("POD_NAME", "metadata.name"),
      fromPod("POD_NAMESPACE", "metadata.namespace"),
    ],
    // The socket is of root, in a folder of the host, and the image is not root's by itself.
    securityContext: { privileged: true, runAsUser: 0 },
    volumeMounts: [{ name: "socket-dir", mountPath: "/csi" }],
  });
}

/** All features are on, and the rate of requests is not bounded from outside: these flags of originals mean nothing in the one process. */
const needlessFlags: ReadonlySet<string> = new Set(["--feature-gates", "--kube-api-qps", "--kube-api-burst"]);
/** Of the process, not of one sidecar in it. */
const sharedFlags: ReadonlySet<string> = new Set(["--retry-interval-start", "--retry-interval-max"]);

/** The flags that sidecars have each for itself, as the one process takes them. */
function combinedFlags(sidecars: readonly SidecarUse[]): string[] {
  const nameOf = (flag: string) => flag.replace(/=.*$/su, "");
  const flags = sidecars.flatMap(({ name, flags = [] }) =>
    flags
      .filter((flag) => !needlessFlags.has(nameOf(flag)))
      .map((flag) => (sharedFlags.has(nameOf(flag)) ? flag : flag.replace(/^--/u, `--${name}-`))),
  );
  return [...new Set(flags)];
}

function combined(sidecars: readonly SidecarUse[], image: string, own: { args: string[] } & Partial<Container>) {
  return container("csi-sidecars", image, {
    // A process of Node's, with one copy of what four others have each.
    memory: "100Mi",
    command: ["stowage", "sidecars"],
    ...own,
    args: [`--controllers=${sidecars.map(({ name }) => name).join(",")}`, ...own.args, ...combinedFlags(sidecars)],
  });
}

/** Asks the driver on behalf of kubelet's probe. In the Pod's own network it may listen everywhere. */
export function podLivenessProbe(port: number, flags: readonly string[]): Container {
  return livenessProbe([`--health-port=${port}`, logFlag, ...flags]);
}

/** In the host's network everybody could ask, so it answers on the loopback alone. */
export function hostLivenessProbe(port: number, flags: readonly string[]): Container {
  return livenessProbe([`--http-endpoint=127.0.0.1:${port}`, logFlag, ...flags]);
}

function livenessProbe(args: readonly string[]): Container {
  return container("csi-liveness-probe", "LIVENESS_PROBE_IMAGE", {
    args: [`--csi-address=${driverSocket}`, ...args],
    volumeMounts: [{ name: "socket-dir", mountPath: "/csi" }],
  });
}

/** Makes the driver known to kubelet. Its sockets go with it, lest kubelet keep on dialling them. */
export function nodeRegistrar(driverName: string, { healthPort, isInPodNetwork = false }: NodeRegistrar): Container {
  const host = isInPodNetwork ? "" : "127.0.0.1";
  const sockets = `/registration/${driverName}-reg.sock ${driverSocket}`;
  return container("csi-node-driver-registrar", "NODE_DRIVER_REGISTRAR_IMAGE", {
    args: [
      `--csi-address=${driverSocket}`,
      `--kubelet-registration-path=/var/lib/kubelet/plugins/${driverName}/csi.sock`,
      `--http-endpoint=${host}:${healthPort}`,
      logFlag,
    ],
    securityContext: { privileged: true },
    lifecycle: { preStop: { exec: { command: ["/bin/sh", "-c", `rm -rf ${sockets}`] } } },
    ports: [{ name: "rhealthz", containerPort: healthPort, protocol: "TCP" }],
    livenessProbe: {
      httpGet: { ...(!isInPodNetwork && { host }), path: "/healthz", port: "rhealthz" },
      initialDelaySeconds: 10,
      timeoutSeconds: 3,
      periodSeconds: 10,
      failureThreshold: 5,
    },
    volumeMounts: [
      { name: "socket-dir", mountPath: "/csi" },
      { name: "registration-dir", mountPath: "/registration" },
    ],
  });
}

function fromPod(name: string, fieldPath: string) {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}
