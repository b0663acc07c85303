import type { ContainerSpec } from "./container-spec.ts";

/** What container engines leave to a container that asks for nothing. */
const usualCapabilities = [
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "NET_RAW",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
];

type Asked = Pick<ContainerSpec, "isPrivileged" | "addedCapabilities" | "droppedCapabilities">;

/** Those of a container, without `CAP_`; undefined for all that there are. */
export function desiredCapabilities(spec: Asked): readonly string[] | undefined {
  if (spec.isPrivileged) return undefined;
  const added = spec.addedCapabilities.map(plainName);
  const dropped = spec.droppedCapabilities.map(plainName);
  if (added.includes("ALL")) return dropped.length === 0 ? undefined : [];
  const kept = dropped.includes("ALL") ? [] : usualCapabilities.filter((name) => !dropped.includes(name));
  return [...new Set([...kept, ...added])].toSorted();
}

function plainName(name: string): string {
  return name.toUpperCase().replace(/^CAP_/, "");
}
