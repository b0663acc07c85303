import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { duplicate, type FieldError, invalid, required } from "@stowage/machinery/structural";
import { fieldsOf, listOf, textOf, textsOf } from "../../../../json-fields.ts";
import { shownPart } from "../../pod-forms.ts";
import type { PodCheckOptions } from "../check-context.ts";
import { choiceErrors, itemErrors, listedErrors, optionalErrors, partErrors, when } from "../field-checks.ts";
import { idErrors } from "../value-checks.ts";
import { appArmorErrors, seccompErrors } from "./profile-errors.ts";
import { windowsOptionErrors } from "./windows-errors.ts";

/** Of a container. `hostUsers` says whether its users are those of the host. */
export function containerSecurityErrors(security: JsonObject, path: string, hostUsers: boolean): FieldError[] {
  const { procMount } = security;
  const unmasked = "`hostUsers` must be false to use `Unmasked`";
  return [
    ...optionalErrors(security["runAsUser"], (id) => idErrors(`${path}.runAsUser`, id)),
    ...optionalErrors(security["runAsGroup"], (id) => idErrors(`${path}.runAsGroup`, id)),
    ...optionalErrors(procMount, (type) => [
      ...listedErrors(`${path}.procMount`, type, ["Default", "Unmasked"]),
      ...when(hostUsers && type === "Unmasked", invalid(`${path}.procMount`, type, unmasked)),
    ]),
    ...partErrors(security["seccompProfile"], `${path}.seccompProfile`, seccompErrors),
    ...escalationErrors(security, path),
    ...partErrors(security["windowsOptions"], `${path}.windowsOptions`, windowsOptionErrors),
    ...partErrors(security["appArmorProfile"], `${path}.appArmorProfile`, appArmorErrors),
  ];
}

function escalationErrors(security: JsonObject, path: string): FieldError[] {
  if (security["allowPrivilegeEscalation"] !== false) return [];
  const shown = shownPart("SecurityContext", security);
  const admin = textsOf(fieldsOf(security["capabilities"])["add"]).filter((name) => name === "CAP_SYS_ADMIN");
  const privileged = "cannot set `allowPrivilegeEscalation` to false and `privileged` to true";
  const capability = "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN";
  return [
    ...when(security["privileged"] === true, invalid(path, shown, privileged)),
    ...admin.map(() => invalid(path, shown, capability)),
  ];
}

/** Of the Pod. */
export function podSecurityErrors(spec: JsonObject, path: string, options: PodCheckOptions): FieldError[] {
  const security = fieldsOf(spec["securityContext"]);
  const shared = spec["shareProcessNamespace"];
  const both = "ShareProcessNamespace and HostPID cannot both be enabled";
  return [
    ...["fsGroup", "runAsUser", "runAsGroup"].flatMap((name) =>
      optionalErrors(security[name], (id) => idErrors(`${path}.${name}`, id)),
    ),
    ...listOf(security["supplementalGroups"]).flatMap((id, index) =>
      idErrors(`${path}.supplementalGroups[${index}]`, id),
    ),
    ...when(shared === true && spec["hostPID"] === true, invalid(`${path}.shareProcessNamespace`, true, both)),
    ...sysctlErrors(spec, `${path}.sysctls`),
    ...optionalErrors(security["fsGroupChangePolicy"], (policy) =>
      choiceErrors(`${path}.fsGroupChangePolicy`, policy, ["OnRootMismatch", "Always"]),
    ),
    ...partErrors(security["seccompProfile"], `${path}.seccompProfile`, seccompErrors),
    ...partErrors(security["windowsOptions"], `${path}.windowsOptions`, windowsOptionErrors),
    ...partErrors(security["appArmorProfile"], `${path}.appArmorProfile`, appArmorErrors),
    ...optionalErrors(security["supplementalGroupsPolicy"], (policy) =>
      choiceErrors(`${path}.supplementalGroupsPolicy`, policy, ["Merge", "Strict"]),
    ),
    ...optionalErrors(security["seLinuxChangePolicy"], (policy) =>
      choiceErrors(`${path}.seLinuxChangePolicy`, policy, relabelings(options.old)),
    ),
  ];
}

/** One that has a policy already may have any; the other way is not turned on yet. */
function relabelings(old: JsonObject | undefined): readonly string[] {
  const before: JsonValue | undefined = fieldsOf(old?.["securityContext"])["seLinuxChangePolicy"];
  return before === undefined ? ["Recursive"] : ["MountOption", "Recursive"];
}

const segment = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const sysctlPattern = `^(${segment}[\\./])*${segment}$`;
const sysctl = new RegExp(sysctlPattern, "u");

function sysctlErrors(spec: JsonObject, path: string): FieldError[] {
  const seen = new Set<string>();
  return itemErrors(fieldsOf(spec["securityContext"])["sysctls"], path, (item, itemPath) => {
    const name = textOf(item["name"]);
    const at = `${itemPath}.name`;
    const isRepeated = seen.has(name);
    seen.add(name);
    const isKnown = name.length <= 253 && sysctl.test(name);
    const detail = `must have at most 253 characters and match regex ${sysctlPattern}`;
    const own =
      name === "" ? [required(at)] : isKnown ? when(isRepeated, duplicate(at, name)) : [invalid(at, name, detail)];
    return [...own, ...hostSysctlErrors(name, at, spec)];
  });
}

const ofIpc = /^(?:kernel\.(?:sem|shmall|shmmax|shmmni|shm_rmid_forced|shm|msgmax|msgmnb|msgmni|msg)$|fs\.mqueue\.)/u;

/** What is of a namespace that the Pod shares with its host is the host's. */
function hostSysctlErrors(name: string, path: string, spec: JsonObject): FieldError[] {
  const plain = normalized(name);
  const namespace = plain.startsWith("net.") ? "hostNetwork" : ofIpc.test(plain) ? "hostIPC" : undefined;
  if (namespace === undefined || spec[namespace] !== true) return [];
  return [invalid(path, name, `may not be specified when '${namespace}' is true`)];
}

/** Slashes separate when the first separator is one; dots are then parts of names. */
function normalized(name: string): string {
  const first = /[./]/u.exec(name)?.[0];
  return first === "/" ? name.replaceAll(/[./]/gu, (sign) => (sign === "." ? "/" : ".")) : name;
}
