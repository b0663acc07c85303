import { certificateFile, keyFile, layoutOf } from "../cluster/layout.ts";
import { LOOPBACK } from "../cluster/settings.ts";
import { type Component, type Plan, toFlags } from "./component.ts";

const MEMBER = "lab";

export function desiredEtcd({ dir, settings }: Plan): Component {
  const client = `https://${LOOPBACK}:${settings.ports.etcdClient}`;
  const peer = `https://${LOOPBACK}:${settings.ports.etcdPeer}`;
  return {
    name: "etcd",
    program: { binary: "etcd" },
    host: LOOPBACK,
    ports: ["etcdClient", "etcdPeer"],
    probe: { url: `${client}/health`, authority: "etcd-ca", client: "etcd-client" },
    arguments: toFlags({
      name: MEMBER,
      "data-dir": layoutOf(dir).etcd,
      "listen-client-urls": client,
      "advertise-client-urls": client,
      "listen-peer-urls": peer,
      "initial-advertise-peer-urls": peer,
      "initial-cluster": `${MEMBER}=${peer}`,
      ...tls(dir, ""),
      ...tls(dir, "peer-"),
      "log-level": "warn",
      // Each write would otherwise wait for the disk. A crash of the machine may cost the lab its state; a killed process never does.
      "unsafe-no-fsync": true,
    }),
  };
}

function tls(dir: string, prefix: string): Record<string, string | true> {
  return {
    [`${prefix}cert-file`]: certificateFile(dir, "etcd"),
    [`${prefix}key-file`]: keyFile(dir, "etcd"),
    [`${prefix}trusted-ca-file`]: certificateFile(dir, "etcd-ca"),
    [`${prefix}client-cert-auth`]: true,
  };
}
