import { join } from "node:path";
import { NODE_NAME } from "../cluster/certificates.ts";
import { certificateFile, keyFile, kubeconfigFile, layoutOf } from "../cluster/layout.ts";
import { LOOPBACK, serverAddress } from "../cluster/settings.ts";
import { type Component, type Plan, toFlags } from "./component.ts";
import { containerdSocket } from "./containerd.ts";

export function kubeletConfigFile(dir: string): string {
  return join(layoutOf(dir).configuration, "kubelet.json");
}

export function kubeletFolder({ dir, settings }: Plan): string {
  return settings.kubeletFolder ?? layoutOf(dir).kubelet;
}

export function desiredKubelet({ dir, settings }: Plan): Component {
  const address = serverAddress(settings);
  return {
    name: "kubelet",
    program: { binary: "kubelet" },
    host: address,
    ports: ["kubelet", "kubeletHealth"],
    probe: { url: `http://${LOOPBACK}:${settings.ports.kubeletHealth}/healthz` },
    arguments: toFlags({
      config: kubeletConfigFile(dir),
      kubeconfig: kubeconfigFile(dir, "kubelet"),
      "hostname-override": NODE_NAME,
      "node-ip": address,
      "root-dir": kubeletFolder({ dir, settings }),
      v: 2,
    }),
  };
}

const NEVER_EVICT = {
  "memory.available": "0%",
  "nodefs.available": "0%",
  "imagefs.available": "0%",
  "nodefs.inodesFree": "0%",
};

/** `KubeletConfiguration`, for those settings that have no flag or whose flag is deprecated. */
export function desiredKubeletConfig({ dir, settings }: Plan) {
  return {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    address: serverAddress(settings),
    port: settings.ports.kubelet,
    healthzBindAddress: LOOPBACK,
    healthzPort: settings.ports.kubeletHealth,
    tlsCertFile: certificateFile(dir, "kubelet"),
    tlsPrivateKeyFile: keyFile(dir, "kubelet"),
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: certificateFile(dir, "ca") },
    },
    authorization: { mode: "Webhook" },
    containerRuntimeEndpoint: `unix://${containerdSocket(dir)}`,
    cgroupDriver: "cgroupfs",
    failCgroupV1: false,
    failSwapOn: false,
    podLogsDir: layoutOf(dir).podLogs,
    volumePluginDir: join(kubeletFolder({ dir, settings }), "volume-plugins"),
    clusterDomain: "cluster.local",
    clusterDNS: ["10.96.0.10"],
    resolvConf: "/etc/resolv.conf",
    maxPods: 250,
    // A developer's disk is often nearly full, and the images cannot be pulled again.
    evictionHard: NEVER_EVICT,
    imageGCHighThresholdPercent: 100,
    serializeImagePulls: false,
    // Tests look at both; the defaults are a minute.
    syncFrequency: "10s",
    volumeStatsAggPeriod: "10s",
  };
}
