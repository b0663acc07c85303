import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = "/proc/sys";

/** What the lab sets for Pod traffic to be forwarded and to pass through kube-proxy's rules. */
const wanted: Readonly<Record<string, string>> = {
  "net/ipv4/ip_forward": "1",
  "net/bridge/bridge-nf-call-iptables": "1",
};

/** What the kubelet and kube-proxy change by themselves. */
const changedByComponents = [
  "vm/overcommit_memory",
  "vm/panic_on_oom",
  "kernel/panic",
  "kernel/panic_on_oops",
  "kernel/keys/root_maxkeys",
  "kernel/keys/root_maxbytes",
  "net/ipv4/conf/all/route_localnet",
];

/** The settings as they are now, of those that this kernel has. */
export function readSysctls(): Record<string, string> {
  const names = [...Object.keys(wanted), ...changedByComponents].filter((name) => existsSync(join(ROOT, name)));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(ROOT, name), "utf8").trim()]));
}

export function applySysctls(): void {
  writeSysctls(wanted);
}

export function writeSysctls(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    const path = join(ROOT, name);
    if (existsSync(path) && readFileSync(path, "utf8").trim() !== value) writeFileSync(path, value);
  }
}
