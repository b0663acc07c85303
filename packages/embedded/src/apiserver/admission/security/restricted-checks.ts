import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, isFields, listOf, textOf, textsOf } from "../../strategies/index.ts";
import {
  containersOf,
  distinct,
  hasOwnUsers,
  isWindows,
  named,
  podContext,
  quoted,
  type SecurityCheck,
  setters,
} from "./security-context.ts";

export const allowPrivilegeEscalation: SecurityCheck = ({ spec }) => {
  const names = containersOf(spec)
    .filter(({ context }) => context["allowPrivilegeEscalation"] !== false)
    .map(({ name }) => name);
  if (names.length === 0 || isWindows(spec)) return undefined;
  return {
    reason: "allowPrivilegeEscalation != false",
    detail: `${named("container", names)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

export const droppedCapabilities: SecurityCheck = ({ spec }) => {
  const containers = containersOf(spec).map(({ name, context }) => {
    const { drop, add } = fieldsOf(context["capabilities"]);
    return {
      name,
      dropsAll: textsOf(drop).includes("ALL"),
      added: textsOf(add).filter((each) => each !== "NET_BIND_SERVICE"),
    };
  });
  const keeping = containers.filter(({ dropsAll }) => !dropsAll).map(({ name }) => name);
  const adding = containers.filter(({ added }) => added.length > 0);
  const added = quoted(distinct(adding.flatMap((each) => each.added)));
  const details = [
    ...(keeping.length === 0
      ? []
      : [`${named("container", keeping)} must set securityContext.capabilities.drop=["ALL"]`]),
    ...(adding.length === 0
      ? []
      : [
          `${named(
            "container",
            adding.map(({ name }) => name),
          )} must not include ${added} in securityContext.capabilities.add`,
        ]),
  ];
  if (details.length === 0 || isWindows(spec)) return undefined;
  return { reason: "unrestricted capabilities", detail: details.join("; ") };
};

const allowedVolumes = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
];

export const restrictedVolumes: SecurityCheck = ({ spec }) => {
  const bad = listOf(spec["volumes"])
    .map(fieldsOf)
    .filter((volume) => !allowedVolumes.some((type) => volume[type] !== undefined))
    .map((volume) => ({ name: textOf(volume["name"]), type: typeOf(volume) }));
  if (bad.length === 0) return undefined;
  const types = distinct(bad.map(({ type }) => type));
  const uses = bad.length === 1 ? "uses" : "use";
  const what = `restricted volume type${types.length === 1 ? "" : "s"}`;
  const who = named(
    "volume",
    bad.map(({ name }) => name),
  );
  return { reason: "restricted volume types", detail: `${who} ${uses} ${what} ${quoted(types)}` };
};

function typeOf(volume: JsonObject): string {
  return Object.keys(volume).find((field) => isFields(volume[field])) ?? "unknown";
}

export const runAsNonRoot: SecurityCheck = ({ spec }) => {
  if (hasOwnUsers(spec)) return undefined;
  const whole = podContext(spec)["runAsNonRoot"];
  const containers = containersOf(spec).map(({ name, context }) => ({ name, value: context["runAsNonRoot"] }));
  const refusing = containers.filter(({ value }) => value === false).map(({ name }) => name);
  const who = setters(whole === false, refusing);
  const reason = "runAsNonRoot != true";
  if (who !== "") return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  const silent = containers.filter(({ value }) => value === undefined && whole !== true).map(({ name }) => name);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${named("container", silent)} must set securityContext.runAsNonRoot=true` };
};

export const runAsUser: SecurityCheck = ({ spec }) => {
  if (hasOwnUsers(spec)) return undefined;
  const names = containersOf(spec)
    .filter(({ context }) => context["runAsUser"] === 0)
    .map(({ name }) => name);
  const who = setters(podContext(spec)["runAsUser"] === 0, names);
  return who === "" ? undefined : { reason: "runAsUser=0", detail: `${who} must not set runAsUser=0` };
};

const confining = ["RuntimeDefault", "Localhost"];

/** The baseline asks for no profile, but lets none be switched off. */
export const seccompProfile: SecurityCheck = ({ spec }) => {
  const typeOfProfile = (context: JsonObject) => fieldsOf(context["seccompProfile"])["type"];
  const isBad = (context: JsonObject) =>
    context["seccompProfile"] !== undefined && !confining.includes(textOf(typeOfProfile(context)));
  const containers = containersOf(spec);
  const who = setters(
    isBad(podContext(spec)),
    containers.filter(({ context }) => isBad(context)).map(({ name }) => name),
  );
  if (who === "") return undefined;
  const all = [podContext(spec), ...containers.map(({ context }) => context)].filter(isBad);
  const values = quoted(distinct(all.map((context) => textOf(typeOfProfile(context)))));
  return { reason: "seccompProfile", detail: `${who} must not set securityContext.seccompProfile.type to ${values}` };
};

export const requiredSeccompProfile: SecurityCheck = (pod) => {
  const { spec } = pod;
  if (isWindows(spec)) return undefined;
  const violation = seccompProfile(pod);
  if (violation !== undefined || podContext(spec)["seccompProfile"] !== undefined) return violation;
  const silent = containersOf(spec)
    .filter(({ context }) => context["seccompProfile"] === undefined)
    .map(({ name }) => name);
  if (silent.length === 0) return undefined;
  const who = `pod or ${named("container", silent)}`;
  return {
    reason: "seccompProfile",
    detail: `${who} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
};
