import { join } from "node:path";
import { certificateFile, keyFile, layoutOf } from "../cluster/layout.ts";
import { LOOPBACK, serverAddress, serverUrl } from "../cluster/settings.ts";
import { type Component, type Plan, toFlags } from "./component.ts";

/** The certificates name the first address of this range. */
const SERVICE_RANGE = "10.96.0.0/16";

export function desiredApiServer(plan: Plan): Component {
  const { dir, settings } = plan;
  const address = serverAddress(settings);
  return {
    name: "kube-apiserver",
    program: { binary: "kube-apiserver" },
    host: address,
    ports: ["apiServer"],
    probe: { url: `${serverUrl(settings)}/readyz`, authority: "ca", client: "admin" },
    arguments: toFlags({
      "bind-address": address,
      "advertise-address": address,
      "secure-port": settings.ports.apiServer,
      "service-cluster-ip-range": SERVICE_RANGE,
      "allow-privileged": "true",
      "authorization-mode": "Node,RBAC",
      "enable-admission-plugins": "NodeRestriction",
      // The node's name cannot be resolved, its address can be reached.
      "kubelet-preferred-address-types": "InternalIP",
      // Endpoints may not be loopback addresses; nothing looks for them where there is no node.
      ...(settings.level !== "node" ? { "endpoint-reconciler-type": "none" } : {}),
      ...etcdFlags(plan),
      ...servingFlags(dir),
      ...serviceAccountFlags(dir),
      ...aggregationFlags(dir),
    }),
  };
}

function etcdFlags({ dir, settings }: Plan) {
  return {
    "etcd-servers": `https://${LOOPBACK}:${settings.ports.etcdClient}`,
    "etcd-cafile": certificateFile(dir, "etcd-ca"),
    "etcd-certfile": certificateFile(dir, "etcd-client"),
    "etcd-keyfile": keyFile(dir, "etcd-client"),
  };
}

function servingFlags(dir: string) {
  return {
    "client-ca-file": certificateFile(dir, "ca"),
    "tls-cert-file": certificateFile(dir, "kube-apiserver"),
    "tls-private-key-file": keyFile(dir, "kube-apiserver"),
    "kubelet-certificate-authority": certificateFile(dir, "ca"),
    "kubelet-client-certificate": certificateFile(dir, "admin"),
    "kubelet-client-key": keyFile(dir, "admin"),
  };
}

function serviceAccountFlags(dir: string) {
  const folder = layoutOf(dir).certificates;
  return {
    "service-account-issuer": "https://kubernetes.default.svc",
    "service-account-key-file": join(folder, "service-account.pub"),
    "service-account-signing-key-file": join(folder, "service-account.key"),
  };
}

/** For aggregated API servers, which learn from these headers who is asking. */
function aggregationFlags(dir: string) {
  return {
    "requestheader-client-ca-file": certificateFile(dir, "ca"),
    "requestheader-allowed-names": "front-proxy-client",
    "requestheader-username-headers": "X-Remote-User",
    "requestheader-group-headers": "X-Remote-Group",
    "requestheader-extra-headers-prefix": "X-Remote-Extra-",
    "proxy-client-cert-file": certificateFile(dir, "front-proxy"),
    "proxy-client-key-file": keyFile(dir, "front-proxy"),
  };
}
