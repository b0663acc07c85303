import { NODE_NAME } from "../cluster/certificates.ts";
import { kubeconfigFile } from "../cluster/layout.ts";
import { LOOPBACK, serverAddress } from "../cluster/settings.ts";
import { POD_RANGE } from "../node/network.ts";
import { type Component, type Plan, toFlags } from "./component.ts";

export function desiredProxy({ dir, settings }: Plan): Component {
  const health = `${LOOPBACK}:${settings.ports.proxyHealth}`;
  return {
    name: "kube-proxy",
    program: { binary: "kube-proxy" },
    host: LOOPBACK,
    ports: ["proxyHealth", "proxyMetrics"],
    probe: { url: `http://${health}/livez` },
    arguments: toFlags({
      kubeconfig: kubeconfigFile(dir, "kube-proxy"),
      "hostname-override": NODE_NAME,
      "proxy-mode": "iptables",
      "cluster-cidr": POD_RANGE,
      "healthz-bind-address": health,
      "metrics-bind-address": `${LOOPBACK}:${settings.ports.proxyMetrics}`,
      // Not on the machine's other addresses: nobody outside may reach a lab.
      "nodeport-addresses": `${serverAddress(settings)}/32`,
      // Zero leaves the machine's own limits as they are; setting them may not be allowed either.
      "conntrack-max-per-core": 0,
      "conntrack-tcp-timeout-established": "0s",
      "conntrack-tcp-timeout-close-wait": "0s",
      "iptables-localhost-nodeports": "false",
    }),
  };
}
