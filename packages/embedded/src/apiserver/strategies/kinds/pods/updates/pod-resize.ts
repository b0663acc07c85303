import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid } from "@stowage/machinery/structural";
import { fieldsOf, isFields, sameJson, specOf, textOf, withFields } from "../../../json-fields.ts";
import type { SubresourceRules } from "../../../kind-rules.ts";
import { itemErrors, itemsOf, when } from "../checks/field-checks.ts";
import { podErrors } from "../checks/pod-errors.ts";
import { podQuality } from "../pod-quality.ts";
import { isMirror } from "./ephemeral-containers.ts";
import { withOwnMetadata } from "./pod-part.ts";

const lists = ["containers", "initContainers"] as const;

/** `pods/resize`: how much processor and memory the containers of a Pod that is there may have. */
export const resizeRules: SubresourceRules = {
  prepareForUpdate(object, old) {
    const [now, before] = [specOf(object), specOf(old)];
    if (lists.some((list) => itemsOf(now[list]).length !== itemsOf(before[list]).length)) return object;
    const spec = withFields(before, {
      resources: now["resources"],
      ...Object.fromEntries(lists.map((list) => [list, resizedContainers(now[list], before[list])])),
    });
    return { ...withOwnMetadata(object, old), spec };
  },
  errors(object, old, { own, changes }) {
    if (isMirror(old)) return [forbidden("", "static pods cannot be resized")];
    const isWindows = fieldsOf(specOf(old)["os"])["name"] === "windows";
    if (isWindows) return [forbidden("", "windows pods cannot be resized")];
    const errors = [...changes, ...own, ...podErrors(object, old), ...supportErrors(object, old)];
    return [...errors, ...specErrors(specOf(object), specOf(old), errors.length > 0)];
  },
};

/** A container that has another name is left for the checks to find. */
function resizedContainers(now: JsonValue | undefined, before: JsonValue | undefined): JsonValue | undefined {
  const [containers, known] = [itemsOf(now), itemsOf(before)];
  if (containers.some((container, index) => container["name"] !== known[index]?.["name"])) return now;
  if (known.length === 0) return before;
  return known.map((old, index) => {
    const { resources, resizePolicy } = containers[index] ?? {};
    return withFields(old, { resources: resources ?? {}, resizePolicy });
  });
}

function supportErrors(pod: JsonObject, old: JsonObject): FieldError[] {
  const status = fieldsOf(old["status"]);
  const quality = textOf(status["qosClass"]) || podQuality(specOf(old));
  const running = itemsOf(status["containerStatuses"]).find((each) => isFields(fieldsOf(each["state"])["running"]));
  const isSupported = running === undefined || isFields(running["resources"]);
  const isSame = quality === podQuality(specOf(pod));
  const changed = "Pod QOS Class may not change as a result of resizing";
  return [
    ...when(!isSame, invalid("spec", fieldsOf(pod["status"])["qosClass"] ?? "", changed)),
    ...when(!isSupported, forbidden("spec", "Pod running on node without support for resize")),
  ];
}

function specErrors(now: JsonObject, before: JsonObject, hasErrors: boolean): FieldError[] {
  const whole = wholeErrors(now, before);
  const order = lists.flatMap((list) => orderErrors(now, before, list));
  if (order.length > 0) return [...whole, ...order];
  const errors = [
    ...whole,
    ...["initContainers", "containers"].flatMap((list) =>
      itemErrors(before[list], `spec.${list}`, (old, path, index) => {
        const next = itemsOf(now[list])[index] ?? {};
        return removedErrors(fieldsOf(next["resources"]), fieldsOf(old["resources"]), {
          path: `${path}.resources`,
          what: "resource",
        });
      }),
    ),
    ...containerErrors(now, before),
    ...initContainerErrors(now, before),
  ];
  if (hasErrors || errors.length > 0) return errors;
  const isSame = sameJson(withResourcesOf(now, before), before);
  return when(!isSame, forbidden("spec", "only cpu and memory resources are mutable"));
}

function orderErrors(now: JsonObject, before: JsonObject, list: (typeof lists)[number]): FieldError[] {
  const [containers, known] = [itemsOf(now[list]), itemsOf(before[list])];
  const path = `spec.${list}`;
  if (containers.length !== known.length) return [forbidden(path, `${list} may not be added or removed on resize`)];
  return containers.flatMap((container, index) =>
    when(
      container["name"] !== known[index]?.["name"],
      forbidden(`${path}[${index}].name`, `${list} may not be renamed or reordered on resize`),
    ),
  );
}

interface Removal {
  readonly path: string;
  readonly what: string;
}

function removedErrors(now: JsonObject, before: JsonObject, { path, what }: Removal): FieldError[] {
  return ["requests", "limits"].flatMap((kind) => {
    const own = fieldsOf(now[kind]);
    const isLess = Object.keys(fieldsOf(before[kind])).some((name) => own[name] === undefined);
    return when(isLess, forbidden(`${path}.${kind}`, `${what} ${kind} cannot be removed`));
  });
}

function wholeErrors(now: JsonObject, before: JsonObject): FieldError[] {
  const [own, old] = [now["resources"], before["resources"]];
  const path = "spec.resources";
  if (!isFields(own) && !isFields(old)) return [];
  if (!isFields(own)) return [forbidden(path, "pod-level resources cannot be removed")];
  const isSame = sameJson(settledResources(own, old), old);
  return [
    ...removedErrors(own, fieldsOf(old), { path, what: "pod-level resource" }),
    ...when(!isSame, forbidden("spec", "only cpu and memory resources are mutable at pod-level")),
  ];
}

function containerErrors(now: JsonObject, before: JsonObject): FieldError[] {
  return itemsOf(now["containers"]).flatMap((container, index) => {
    const old = itemsOf(before["containers"])[index] ?? {};
    const isSame = sameJson(settledContainer(container, old), old);
    return when(!isSame, forbidden("spec", "only cpu and memory resources are mutable"));
  });
}

function initContainerErrors(now: JsonObject, before: JsonObject): FieldError[] {
  const only = "only cpu and memory resources for init or sidecar containers are mutable";
  const restarting = "non-sidecar init containers with a resize policy of RestartContainer cannot be resized";
  return itemErrors(now["initContainers"], "spec.initContainers", (container, path, index) => {
    const old = itemsOf(before["initContainers"])[index] ?? {};
    const isOnce = container["restartPolicy"] !== "Always";
    const policies = itemsOf(container["resizePolicy"]).filter((each) => each["restartPolicy"] === "RestartContainer");
    return [
      ...when(!sameJson(settledContainer(container, old), old), forbidden(path, only)),
      ...(isOnce && !sameJson(container, old) ? policies.map(() => forbidden(path, restarting)) : []),
    ];
  });
}

/** With the processor and the memory that it had. */
function settledContainer(container: JsonObject, old: JsonObject): JsonObject {
  const resources = settledResources(fieldsOf(container["resources"]), old["resources"]) ?? {};
  return { ...container, resources };
}

/** Undefined when there was nothing, and there is nothing else now. */
function settledResources(resources: JsonObject, before: JsonValue | undefined): JsonObject | undefined {
  const old = fieldsOf(before);
  const kept = Object.fromEntries(
    ["limits", "requests"].map((kind) => {
      const { cpu, memory } = fieldsOf(old[kind]);
      const amounts = withFields(fieldsOf(resources[kind]), { cpu, memory });
      return [kind, Object.keys(amounts).length === 0 ? undefined : amounts];
    }),
  );
  const settled = withFields(withFields(resources, { claims: undefined }), kept);
  return before === undefined && Object.keys(settled).length === 0 ? undefined : settled;
}

function withResourcesOf(now: JsonObject, before: JsonObject): JsonObject {
  const settled = lists.map((list) => [
    list,
    now[list] === undefined
      ? undefined
      : itemsOf(now[list]).map((each, index) => settledContainer(each, itemsOf(before[list])[index] ?? {})),
  ]);
  return withFields(now, { ...Object.fromEntries(settled), resources: before["resources"] });
}
