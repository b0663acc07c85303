import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { duplicate, type FieldError, forbidden, invalid, notFound, required } from "@stowage/machinery/structural";
import { fieldsOf, isFields, numberOf, textOf } from "../../../../json-fields.ts";
import type { PodContext } from "../check-context.ts";
import { itemErrors, itemsOf, partErrors, policyErrors, when } from "../field-checks.ts";
import { containerSecurityErrors } from "../security/security-errors.ts";
import { labelNameErrors } from "../value-checks.ts";
import { variableErrors, variableSourceErrors } from "./environment-errors.ts";
import { lifecycleErrors, probeErrors } from "./handler-errors.ts";
import { deviceErrors, mountErrors } from "./mount-errors.ts";
import { containerPortErrors, hostPortErrors } from "./port-errors.ts";
import { resourceErrors } from "./resource-errors.ts";
import { initRestartErrors, restartErrors } from "./restart-errors.ts";

/** What is checked of every container. */
function commonErrors(container: JsonObject, path: string, context: PodContext): FieldError[] {
  const { volumes, claimNames, spec } = context;
  const name = textOf(container["name"]);
  const hostUsers = spec["hostUsers"] !== false;
  const { terminationMessagePolicy: messages, imagePullPolicy } = container;
  return [
    ...(name === "" ? [required(`${path}.name`)] : labelNameErrors(`${path}.name`, name)),
    ...when(textOf(container["image"]) === "", required(`${path}.image`)),
    ...policyErrors(`${path}.terminationMessagePolicy`, messages, ["File", "FallbackToLogsOnError"]),
    ...containerPortErrors(container["ports"], `${path}.ports`),
    ...variableErrors(container["env"], `${path}.env`),
    ...variableSourceErrors(container["envFrom"], `${path}.envFrom`),
    ...mountErrors(container, `${path}.volumeMounts`, volumes),
    ...deviceErrors(container, `${path}.volumeDevices`, volumes),
    ...policyErrors(`${path}.imagePullPolicy`, imagePullPolicy, ["Always", "IfNotPresent", "Never"]),
    ...resourceErrors(fieldsOf(container["resources"]), `${path}.resources`, { claimNames }),
    ...resizeErrors(container["resizePolicy"], `${path}.resizePolicy`, spec["restartPolicy"]),
    ...partErrors(container["securityContext"], `${path}.securityContext`, (security, at) =>
      containerSecurityErrors(security, at, hostUsers),
    ),
  ];
}

function resizeErrors(value: JsonValue | undefined, path: string, restartPolicy: JsonValue | undefined): FieldError[] {
  const seen = new Set<string>();
  const never = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
  return itemErrors(value, path, (policy, at) => {
    const { resourceName, restartPolicy: restart } = policy;
    const isRepeated = seen.has(textOf(resourceName));
    seen.add(textOf(resourceName));
    return [
      ...when(isRepeated, duplicate(at, resourceName)),
      ...policyErrors(path, resourceName, ["cpu", "memory"]),
      ...policyErrors(path, restart, ["NotRequired", "RestartContainer"]),
      ...when(restartPolicy === "Never" && restart !== "NotRequired", invalid(path, restart ?? "", never)),
    ];
  });
}

/** Of the names of containers, each of which is had once. */
function nameErrors(container: JsonObject, path: string, names: Set<string>): FieldError[] {
  const name = textOf(container["name"]);
  const isTaken = names.has(name);
  names.add(name);
  return when(isTaken, duplicate(`${path}.name`, name));
}

function graceOf({ spec }: PodContext): number | undefined {
  return numberOf(spec["terminationGracePeriodSeconds"]);
}

export function containerErrors(path: string, context: PodContext): FieldError[] {
  const containers = itemsOf(context.spec["containers"]);
  if (containers.length === 0) return [required(path)];
  const names = new Set<string>();
  return [
    ...itemErrors(containers, path, (container, at) => [
      ...commonErrors(container, at, context),
      ...nameErrors(container, at, names),
      ...lifecycleErrors(container["lifecycle"], `${at}.lifecycle`, graceOf(context)),
      ...probeErrors(container, at, graceOf(context)),
      ...restartErrors(container, at),
    ]),
    ...hostPortErrors(containers, path),
  ];
}

const sidecarOnly = ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] as const;

export function initContainerErrors(path: string, context: PodContext): FieldError[] {
  const names = new Set(itemsOf(context.spec["containers"]).map((container) => textOf(container["name"])));
  return itemErrors(context.spec["initContainers"], path, (container, at) => {
    const isSidecar = container["restartPolicy"] === "Always";
    return [
      ...commonErrors(container, at, context),
      ...initRestartErrors(container, at),
      ...(textOf(container["name"]) === "" ? [] : nameErrors(container, at, names)),
      ...hostPortErrors([container], path),
      ...(isSidecar
        ? [
            ...lifecycleErrors(container["lifecycle"], `${at}.lifecycle`, graceOf(context)),
            ...probeErrors(container, at, graceOf(context)),
          ]
        : onlyOnceErrors(container, at)),
    ];
  });
}

function onlyOnceErrors(container: JsonObject, path: string): FieldError[] {
  const detail = "may not be set for init containers without restartPolicy=Always";
  const resize = "must not be set to 'RestartContainer' for non-sidecar initContainers";
  return [
    ...sidecarOnly.filter((name) => isFields(container[name])).map((name) => forbidden(`${path}.${name}`, detail)),
    ...itemErrors(container["resizePolicy"], `${path}.resizePolicy`, ({ restartPolicy }, at) =>
      when(restartPolicy === "RestartContainer", invalid(`${at}.restartPolicy`, restartPolicy, resize)),
    ),
  ];
}

const notEphemeral = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "restartPolicyRules",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
] as const;

export function ephemeralContainerErrors(path: string, context: PodContext): FieldError[] {
  const { spec } = context;
  const others = [...itemsOf(spec["containers"]), ...itemsOf(spec["initContainers"])].map(({ name }) => textOf(name));
  const names = new Set(others);
  const detail = "cannot be set for an Ephemeral Container";
  return itemErrors(spec["ephemeralContainers"], path, (container, at) => {
    const target = textOf(container["targetContainerName"]);
    return [
      ...commonErrors(container, at, context),
      ...imageErrors(container, at),
      ...nameErrors(container, at, names),
      ...when(target !== "" && !others.includes(target), notFound(`${at}.targetContainerName`, target)),
      ...notEphemeral.filter((name) => isSet(container[name])).map((name) => forbidden(`${at}.${name}`, detail)),
      ...itemErrors(container["volumeMounts"], `${at}.volumeMounts`, (mount, mountPath) =>
        ["subPath", "subPathExpr"]
          .filter((name) => textOf(mount[name]) !== "")
          .map((name) => forbidden(`${mountPath}.${name}`, detail)),
      ),
    ];
  });
}

function isSet(value: JsonValue | undefined): boolean {
  return isFields(value) ? Object.keys(value).length > 0 : value !== undefined;
}

/** Templates may have an image that is filled in later. */
export function imageErrors(container: JsonObject, path: string): FieldError[] {
  const image = textOf(container["image"]);
  return when(image.trim() !== image, invalid(`${path}.image`, image, "must not have leading or trailing whitespace"));
}
