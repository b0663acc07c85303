import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { duplicate, type FieldError, invalid, notSupported } from "@stowage/machinery/structural";
import { fieldsOf, listOf, numberOf, sameJson, specOf, textOf, withFields } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { immutableField } from "../immutability.ts";
import { choiceErrors } from "./field-checks.ts";

const defaults: JsonObject = {
  attachRequired: true,
  podInfoOnMount: false,
  storageCapacity: false,
  fsGroupPolicy: "ReadWriteOnceWithFSType",
  volumeLifecycleModes: ["Persistent"],
  requiresRepublish: false,
  seLinuxMount: false,
};

export const csiDriverRules: KindRules = {
  defaults: (object) => ({ ...object, spec: { ...defaults, ...specOf(object) } }),
  prepareForCreate: (object) => withoutUnreleased(object, undefined),
  prepareForUpdate: withoutUnreleased,
  checks: {
    create: (object, metadata) => [...metadata, ...driverErrors(specOf(object))],
    update: (object, old, { changes }) => [
      ...changes,
      ...driverErrors(specOf(object)),
      ...changeErrors(specOf(object), specOf(old)),
    ],
  },
  warnings: driverWarnings,
};

/** What only a server has that was told to: it is off unless somebody asks for it. */
function withoutUnreleased(object: JsonObject, old: JsonObject | undefined): JsonObject {
  const name = "preventPodSchedulingIfMissing";
  if (specOf(old ?? {})[name] !== undefined) return object;
  return { ...object, spec: withFields(specOf(object), { [name]: undefined }) };
}

function driverErrors(spec: JsonObject): FieldError[] {
  const period = numberOf(spec["nodeAllocatableUpdatePeriodSeconds"]);
  return [
    ...choiceErrors(spec["fsGroupPolicy"], "spec.fsGroupPolicy", ["File", "None", "ReadWriteOnceWithFSType"]),
    ...tokenErrors(listOf(spec["tokenRequests"])),
    ...lifecycleErrors(listOf(spec["volumeLifecycleModes"])),
    ...(period !== undefined && period < 10
      ? [invalid("spec.nodeAllocatableUpdatePeriodSeconds", period, "must be greater than or equal to 10 seconds")]
      : []),
    ...secretErrors(spec),
  ];
}

function lifecycleErrors(modes: readonly JsonValue[]): FieldError[] {
  const known = ["Persistent", "Ephemeral"];
  return modes
    .filter((mode) => !known.includes(textOf(mode)))
    .map((mode) => notSupported("spec.volumeLifecycleModes", mode, known));
}

function tokenErrors(requests: readonly JsonValue[]): FieldError[] {
  const audiences = new Set<string>();
  return requests.flatMap((request, index) => {
    const path = `spec.tokenRequests[${index}]`;
    const audience = textOf(fieldsOf(request)["audience"]);
    if (audiences.has(audience)) return [duplicate(`${path}.audience`, audience)];
    audiences.add(audience);
    return expirationErrors(numberOf(fieldsOf(request)["expirationSeconds"]), `${path}.expirationSeconds`);
  });
}

function expirationErrors(seconds: number | undefined, path: string): FieldError[] {
  if (seconds === undefined) return [];
  if (seconds < 600) return [invalid(path, seconds, "may not specify a duration less than 10 minutes")];
  return seconds > 2 ** 32 ? [invalid(path, seconds, "may not specify a duration larger than 2^32 seconds")] : [];
}

function secretErrors(spec: JsonObject): FieldError[] {
  const name = "serviceAccountTokenInSecrets";
  if (spec[name] === undefined || listOf(spec["tokenRequests"]).length > 0) return [];
  return [invalid(`spec.${name}`, spec[name], `${name} is set but no tokenRequests are specified`)];
}

/** The path has a misspelling that clients know by now. */
function changeErrors(now: JsonObject, before: JsonObject): FieldError[] {
  return [
    ...immutableField("spec.attachedRequired", now["attachRequired"], before["attachRequired"]),
    ...immutableField("spec.volumeLifecycleModes", now["volumeLifecycleModes"], before["volumeLifecycleModes"]),
  ];
}

const secretAdvice =
  "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, " +
  "set to true to prevent possible logging of tokens in volume attributes";

function driverWarnings(object: JsonObject, old: JsonObject | undefined): string[] {
  const { tokenRequests, serviceAccountTokenInSecrets } = specOf(object);
  if (listOf(tokenRequests).length === 0 || serviceAccountTokenInSecrets !== undefined) return [];
  return old !== undefined && sameJson(tokenRequests, specOf(old)["tokenRequests"]) ? [] : [secretAdvice];
}
