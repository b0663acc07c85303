import { dns1123SubdomainErrors } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid } from "@stowage/machinery/structural";
import { fieldsOf, isFields, listOf, textOf } from "../../../../json-fields.ts";
import { visitedContainers } from "../containers/visited-containers.ts";
import { optionalErrors, problemErrors, when } from "../field-checks.ts";

const specKiB = 64;

export function windowsOptionErrors(options: JsonObject, path: string): FieldError[] {
  const { gmsaCredentialSpecName: specName, gmsaCredentialSpec: spec, runAsUserName } = options;
  const at = `${path}.gmsaCredentialSpec`;
  return [
    ...optionalErrors(specName, (name) => problemErrors(`${at}Name`, name, dns1123SubdomainErrors(textOf(name)))),
    ...optionalErrors(spec, (text) => [
      ...when(text === "", invalid(at, text, "gmsaCredentialSpec cannot be an empty string")),
      ...when(
        Buffer.byteLength(textOf(text)) > specKiB * 1024,
        invalid(at, text, `gmsaCredentialSpec size must be under ${specKiB} KiB`),
      ),
    ]),
    ...optionalErrors(runAsUserName, (name) =>
      userNameProblems(textOf(name)).map((problem) => invalid(`${path}.runAsUserName`, name, problem)),
    ),
  ];
}

const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u;
const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const domainName = new RegExp(`^${label}(?:\\.${label})*$`, "u");

function userNameProblems(name: string): string[] {
  if (name === "") return ["runAsUserName cannot be an empty string"];
  if (/\p{Cc}/u.test(name)) return ["runAsUserName cannot contain control characters"];
  const parts = name.split("\\");
  if (parts.length > 2) return ["runAsUserName cannot contain more than one backslash"];
  const user = parts.at(-1) ?? "";
  const domain = parts.length === 2 ? parts[0] : undefined;
  return [...domainProblems(domain), ...userProblems(user)];
}

function domainProblems(domain: string | undefined): string[] {
  if (domain === undefined) return [];
  return [
    ...(Buffer.byteLength(domain) >= 256 ? ["runAsUserName's Domain length must be under 256 characters"] : []),
    ...(netBios.test(domain) || domainName.test(domain)
      ? []
      : ["runAsUserName's Domain doesn't match the NetBios nor the DNS format"]),
  ];
}

function userProblems(user: string): string[] {
  const isLong = Buffer.byteLength(user) > 104;
  return [
    ...(user === "" ? ["runAsUserName's User cannot be empty"] : []),
    ...(isLong ? ["runAsUserName's User length must not be longer than 104 characters"] : []),
    ...(/^[. ]+$/u.test(user) ? ["runAsUserName's User cannot contain only periods or spaces"] : []),
    ...(/["/\\:;|=,+*?<>@[\]]/u.test(user)
      ? [`runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`]
      : []),
  ];
}

/** All containers of a Pod are processes of the host, or none is. */
export function hostProcessErrors(spec: JsonObject, path: string): FieldError[] {
  const ofPod = hostProcessOf(spec);
  const containers = visitedContainers(spec, path);
  const different = containers.flatMap(({ container, path: at }) => {
    const own = hostProcessOf(container);
    const detail = `pod hostProcess value must be identical if both are specified, was ${String(ofPod)}`;
    const isDifferent = ofPod !== undefined && own !== undefined && own !== ofPod;
    return when(isDifferent, invalid(`${at}.securityContext.windowsOptions.hostProcess`, own, detail));
  });
  const count = containers.filter(({ container }) => (hostProcessOf(container) ?? ofPod) === true).length;
  if (count === 0) return different;
  const all = "If pod contains any hostProcess containers then all containers must be HostProcess containers";
  const network = "hostNetwork must be true if pod contains any hostProcess containers";
  return [
    ...different,
    ...when(count !== containers.length, invalid(path, "", all)),
    ...when(spec["hostNetwork"] !== true, invalid(`${path}.hostNetwork`, false, network)),
  ];
}

function hostProcessOf(part: JsonObject): boolean | undefined {
  const value = fieldsOf(fieldsOf(part["securityContext"])["windowsOptions"])["hostProcess"];
  return typeof value === "boolean" ? value : undefined;
}

const notOnWindows = "cannot be set for a windows pod";

/** In the order in which they are looked at; those without a dot are fields of the spec. */
const ofPods = [
  "securityContext.appArmorProfile securityContext.seLinuxOptions hostUsers hostPID hostIPC securityContext.seccompProfile",
  "securityContext.fsGroup securityContext.fsGroupChangePolicy securityContext.sysctls shareProcessNamespace",
  "securityContext.runAsUser securityContext.runAsGroup securityContext.supplementalGroups",
  "securityContext.supplementalGroupsPolicy securityContext.seLinuxChangePolicy",
].flatMap((names) => names.split(" "));

const ofContainers = [
  "appArmorProfile seLinuxOptions seccompProfile capabilities readOnlyRootFilesystem privileged allowPrivilegeEscalation procMount",
  "runAsUser runAsGroup",
].flatMap((names) => names.split(" "));

/** What a Pod of Windows cannot have. */
export function windowsPodErrors(spec: JsonObject, path: string): FieldError[] {
  const security = fieldsOf(spec["securityContext"]);
  const isSet = (name: string) => {
    const value = name.includes(".") ? security[name.split(".")[1] ?? ""] : spec[name];
    return name === "hostPID" || name === "hostIPC"
      ? value === true
      : value !== undefined && !(Array.isArray(value) && listOf(value).length === 0);
  };
  return [
    ...ofPods.filter(isSet).map((name) => forbidden(`${path}.${name}`, notOnWindows)),
    ...visitedContainers(spec, path).flatMap(({ container, path: at }) => {
      const own = fieldsOf(container["securityContext"]);
      const wrong = ofContainers.filter((name) => own[name] !== undefined);
      return wrong.map((name) => forbidden(`${at}.securityContext.${name}`, notOnWindows));
    }),
  ];
}

/** What a Pod of Linux cannot have. */
export function linuxPodErrors(spec: JsonObject, path: string): FieldError[] {
  const parts = [
    { part: spec, at: path },
    ...visitedContainers(spec, path).map(({ container, path: at }) => ({ part: container, at })),
  ];
  const detail = "windows options cannot be set for a linux pod";
  return parts
    .filter(({ part }) => isFields(fieldsOf(part["securityContext"])["windowsOptions"]))
    .map(({ at }) => forbidden(`${at}.securityContext.windowsOptions`, detail));
}
