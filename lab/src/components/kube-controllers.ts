import { join } from "node:path";
import { certificateFile, keyFile, kubeconfigFile, layoutOf } from "../cluster/layout.ts";
import type { PortName } from "../cluster/ports.ts";
import { LOOPBACK } from "../cluster/settings.ts";
import { type Component, type Plan, toFlags } from "./component.ts";

export function desiredControllerManager(plan: Plan): Component {
  const { dir } = plan;
  return clientOfTheApi(plan, "kube-controller-manager", "controllerManager", {
    "use-service-account-credentials": "true",
    "service-account-private-key-file": join(layoutOf(dir).certificates, "service-account.key"),
    "root-ca-file": certificateFile(dir, "ca"),
    "cluster-signing-cert-file": certificateFile(dir, "ca"),
    "cluster-signing-key-file": keyFile(dir, "ca"),
    "allocate-node-cidrs": "false",
    controllers: "*",
  });
}

export function desiredScheduler(plan: Plan): Component {
  return clientOfTheApi(plan, "kube-scheduler", "scheduler", {});
}

/** What the two have in common. There is one of each, so that waiting to be the leader would only cost time. */
function clientOfTheApi(
  { dir, settings }: Plan,
  name: "kube-controller-manager" | "kube-scheduler",
  port: PortName,
  own: Record<string, string>,
): Component {
  const kubeconfig = kubeconfigFile(dir, name);
  return {
    name,
    program: { binary: name },
    host: LOOPBACK,
    ports: [port],
    probe: { url: `https://${LOOPBACK}:${settings.ports[port]}/healthz`, authority: "ca" },
    arguments: toFlags({
      kubeconfig,
      "authentication-kubeconfig": kubeconfig,
      "authorization-kubeconfig": kubeconfig,
      "bind-address": LOOPBACK,
      "secure-port": settings.ports[port],
      "tls-cert-file": certificateFile(dir, name),
      "tls-private-key-file": keyFile(dir, name),
      "leader-elect": "false",
      // The defaults (20 to 50 requests a second) would make tests measure the wait for them.
      "kube-api-qps": 500,
      "kube-api-burst": 1000,
      ...own,
    }),
  };
}
