import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, listOf, numberOf, textOf, textsOf } from "../../strategies/index.ts";
import {
  containersOf,
  distinct,
  hasOwnUsers,
  named,
  podContext,
  quoted,
  type SecurityCheck,
  setters,
} from "./security-context.ts";

const appArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";

export const appArmorProfile: SecurityCheck = ({ annotations, spec }) => {
  const typeOf = (context: JsonObject) => fieldsOf(context["appArmorProfile"])["type"];
  const isBad = (context: JsonObject) =>
    context["appArmorProfile"] !== undefined && !["RuntimeDefault", "Localhost"].includes(textOf(typeOf(context)));
  const contexts = [podContext(spec), ...containersOf(spec).map(({ context }) => context)];
  const bad = containersOf(spec).filter(({ context }) => isBad(context));
  const notes = Object.entries(annotations)
    .filter(
      ([name, value]) =>
        name.startsWith(appArmorPrefix) && !/^(?:|runtime\/default|localhost\/.*)$/u.test(textOf(value)),
    )
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .toSorted();
  const values = [...distinct(contexts.filter(isBad).map((context) => textOf(typeOf(context)))), ...notes];
  if (values.length === 0) return undefined;
  const who = [
    setters(
      isBad(podContext(spec)),
      bad.map(({ name }) => name),
    ),
    notes.length === 0 ? "" : notes.length === 1 ? "annotation" : "annotations",
  ].filter((part) => part !== "");
  return {
    reason: `forbidden AppArmor profile${values.length === 1 ? "" : "s"}`,
    detail: `${who.join(" and ")} must not set AppArmor profile type to ${quoted(values)}`,
  };
};

const usualCapabilities: ReadonlySet<string> = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);

export const capabilities: SecurityCheck = ({ spec }) => {
  const bad = containersOf(spec)
    .map(({ name, context }) => ({ name, added: textsOf(fieldsOf(context["capabilities"])["add"]) }))
    .map(({ name, added }) => ({ name, added: added.filter((each) => !usualCapabilities.has(each)) }))
    .filter(({ added }) => added.length > 0);
  if (bad.length === 0) return undefined;
  const who = named(
    "container",
    bad.map(({ name }) => name),
  );
  const added = quoted(distinct(bad.flatMap((each) => each.added)));
  return {
    reason: "non-default capabilities",
    detail: `${who} must not include ${added} in securityContext.capabilities.add`,
  };
};

export const hostNamespaces: SecurityCheck = ({ spec }) => {
  const used = ["hostNetwork", "hostPID", "hostIPC"].filter((field) => spec[field] === true);
  return used.length === 0
    ? undefined
    : { reason: "host namespaces", detail: used.map((field) => `${field}=true`).join(", ") };
};

export const hostPathVolumes: SecurityCheck = ({ spec }) => {
  const names = listOf(spec["volumes"])
    .map(fieldsOf)
    .filter(({ hostPath }) => hostPath !== undefined)
    .map(({ name }) => textOf(name));
  return names.length === 0 ? undefined : { reason: "hostPath volumes", detail: named("volume", names) };
};

export const hostPorts: SecurityCheck = ({ spec }) => {
  const bad = containersOf(spec)
    .map(({ name, container }) => ({
      name,
      ports: listOf(container["ports"])
        .map((port) => numberOf(fieldsOf(port)["hostPort"]) ?? 0)
        .filter((port) => port !== 0)
        .map(String),
    }))
    .filter(({ ports }) => ports.length > 0);
  if (bad.length === 0) return undefined;
  const ports = distinct(bad.flatMap((each) => each.ports));
  const who = named(
    "container",
    bad.map(({ name }) => name),
  );
  const uses = bad.length === 1 ? "uses" : "use";
  return { reason: "hostPort", detail: `${who} ${uses} hostPort${ports.length === 1 ? "" : "s"} ${ports.join(", ")}` };
};

export const hostProbes: SecurityCheck = ({ spec }) => {
  const bad = containersOf(spec)
    .map(({ name, container }) => ({ name, hosts: probedHosts(container) }))
    .filter(({ hosts }) => hosts.length > 0);
  if (bad.length === 0) return undefined;
  const hosts = distinct(bad.flatMap((each) => each.hosts));
  const names = distinct(bad.map(({ name }) => name));
  const uses = names.length === 1 ? "uses" : "use";
  const what = `probe or lifecycle host${hosts.length === 1 ? "" : "s"}`;
  return { reason: "probe or lifecycle host", detail: `${named("container", names)} ${uses} ${what} ${quoted(hosts)}` };
};

function probedHosts(container: JsonObject): string[] {
  const { postStart, preStop } = fieldsOf(container["lifecycle"]);
  const { livenessProbe, readinessProbe, startupProbe } = container;
  return [livenessProbe, readinessProbe, startupProbe, postStart, preStop]
    .flatMap((probe) => [fieldsOf(probe)["httpGet"], fieldsOf(probe)["tcpSocket"]])
    .map((action) => textOf(fieldsOf(action)["host"]))
    .filter((host) => host !== "");
}

export const privileged: SecurityCheck = ({ spec }) => {
  const names = containersOf(spec)
    .filter(({ context }) => context["privileged"] === true)
    .map(({ name }) => name);
  if (names.length === 0) return undefined;
  return { reason: "privileged", detail: `${named("container", names)} must not set securityContext.privileged=true` };
};

export const strictProcMount: SecurityCheck = ({ spec }) => {
  const bad = containersOf(spec).filter(({ context }) => !["", "Default"].includes(textOf(context["procMount"])));
  if (bad.length === 0) return undefined;
  const who = named(
    "container",
    bad.map(({ name }) => name),
  );
  const values = quoted(distinct(bad.map(({ context }) => textOf(context["procMount"]))));
  return { reason: "procMount", detail: `${who} must not set securityContext.procMount to ${values}` };
};

export const procMount: SecurityCheck = (pod) => (hasOwnUsers(pod.spec) ? undefined : strictProcMount(pod));

const usualTypes = ["", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"];

export const seLinuxOptions: SecurityCheck = ({ spec }) => {
  const optionsOf = (context: JsonObject) => fieldsOf(context["seLinuxOptions"]);
  const isBad = (context: JsonObject) => {
    const { type, user, role } = optionsOf(context);
    return !usualTypes.includes(textOf(type)) || textOf(user) !== "" || textOf(role) !== "";
  };
  const containers = containersOf(spec);
  const who = setters(
    isBad(podContext(spec)),
    containers.filter(({ context }) => isBad(context)).map(({ name }) => name),
  );
  if (who === "") return undefined;
  const all = [podContext(spec), ...containers.map(({ context }) => context)].map(optionsOf);
  const types = distinct(all.map(({ type }) => textOf(type)).filter((type) => !usualTypes.includes(type)));
  const data = [
    ...(types.length === 0 ? [] : [named("type", types)]),
    ...(all.some(({ user }) => textOf(user) !== "") ? ["user may not be set"] : []),
    ...(all.some(({ role }) => textOf(role) !== "") ? ["role may not be set"] : []),
  ];
  return {
    reason: "seLinuxOptions",
    detail: `${who} set forbidden securityContext.seLinuxOptions: ${data.join("; ")}`,
  };
};

const usualSysctls: ReadonlySet<string> = new Set([
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.ping_group_range",
  "net.ipv4.ip_unprivileged_port_start",
  "net.ipv4.ip_local_reserved_ports",
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
  "net.ipv4.tcp_rmem",
  "net.ipv4.tcp_wmem",
]);

export const sysctls: SecurityCheck = ({ spec }) => {
  const names = listOf(podContext(spec)["sysctls"])
    .map((each) => textOf(fieldsOf(each)["name"]))
    .filter((name) => !usualSysctls.has(name));
  return names.length === 0 ? undefined : { reason: "forbidden sysctls", detail: names.join(", ") };
};

export const windowsHostProcess: SecurityCheck = ({ spec }) => {
  const isSet = (context: JsonObject) => fieldsOf(context["windowsOptions"])["hostProcess"] === true;
  const bad = containersOf(spec).filter(({ context }) => isSet(context));
  const who = setters(
    isSet(podContext(spec)),
    bad.map(({ name }) => name),
  );
  if (who === "") return undefined;
  return { reason: "hostProcess", detail: `${who} must not set securityContext.windowsOptions.hostProcess=true` };
};
