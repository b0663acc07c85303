import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, forbidden, goQuote, invalid } from "@stowage/machinery/structural";
import { fieldsOf, isFields, textOf } from "../../../json-fields.ts";
import { visitedContainers } from "./containers/visited-containers.ts";
import { partErrors, when } from "./field-checks.ts";
import { relativePathErrors } from "./path-checks.ts";
import { tolerationErrors } from "./placement/toleration-errors.ts";
import { largestInt32 } from "./value-checks.ts";

export const mirrorAnnotation = "kubernetes.io/config.mirror";
export const seccompPodAnnotation = "seccomp.security.alpha.kubernetes.io/pod";
export const seccompPrefix = "container.seccomp.security.alpha.kubernetes.io/";
export const appArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";
const tolerationAnnotation = "scheduler.alpha.kubernetes.io/tolerations";
const deletionCost = "controller.kubernetes.io/pod-deletion-cost";

/** Of annotations that Kubernetes itself reads. */
export function podAnnotationErrors(annotations: JsonObject, spec: JsonObject, path: string): FieldError[] {
  const mirror = annotations[mirrorAnnotation];
  const cost = annotations[deletionCost];
  const isLost = mirror !== undefined && textOf(spec["nodeName"]) === "";
  const nodeless = "must set spec.nodeName if mirror pod annotation is set";
  const isCost = cost === undefined || isInt32(textOf(cost));
  return [
    ...when(isLost, invalid(`${path}[${mirrorAnnotation}]`, mirror, nodeless)),
    ...tolerationAnnotationErrors(textOf(annotations[tolerationAnnotation]), path),
    ...when(!isCost, invalid(`${path}[${deletionCost}]`, cost, "must be a 32bit integer")),
    ...Object.entries(annotations).flatMap(([key, value]) =>
      key === seccompPodAnnotation || key.startsWith(seccompPrefix)
        ? seccompAnnotationErrors(textOf(value), `${path}.${key}`)
        : [],
    ),
    ...Object.entries(annotations).flatMap(([key, value]) =>
      key.startsWith(appArmorPrefix) ? appArmorAnnotationErrors(key, textOf(value), { spec, path }) : [],
    ),
  ];
}

/** Tolerations were an annotation once; nothing reads it any more, and it is checked all the same. */
function tolerationAnnotationErrors(text: string, path: string): FieldError[] {
  if (text === "") return [];
  try {
    return tolerationErrors(JSON.parse(text) as JsonValue, `${path}.${tolerationAnnotation}`);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [invalid(path, tolerationAnnotation, syntaxProblem(text))];
  }
}

/** In the words of Go's decoder, as far as the first character tells. */
function syntaxProblem(text: string): string {
  const [first = ""] = text.trimStart();
  return /[[{"\d\-tfn]/u.test(first)
    ? "unexpected end of JSON input"
    : `invalid character '${first}' looking for beginning of value`;
}

/** Neither a plus nor zeros in front. */
function isInt32(text: string): boolean {
  if (!/^(?:0|-\d+|[1-9]\d*)$/u.test(text)) return false;
  return Number(text) <= largestInt32 && Number(text) >= -largestInt32 - 1;
}

const seccompNames = ["runtime/default", "docker/default", "unconfined"];

function seccompAnnotationErrors(profile: string, path: string): FieldError[] {
  if (seccompNames.includes(profile)) return [];
  if (profile.startsWith("localhost/")) return relativePathErrors(path, profile.slice("localhost/".length));
  return [invalid(path, profile, "must be a valid seccomp profile")];
}

interface Annotated {
  readonly spec: JsonObject;
  readonly path: string;
}

function appArmorAnnotationErrors(key: string, profile: string, { spec, path }: Annotated): FieldError[] {
  const name = key.slice(appArmorPrefix.length);
  const at = `${path}[${key}]`;
  const hasContainer = visitedContainers(spec, "").some(({ container }) => textOf(container["name"]) === name);
  const isKnown = ["", "runtime/default", "unconfined"].includes(profile) || profile.startsWith("localhost/");
  return [
    ...when(!hasContainer, invalid(at, name, "container not found")),
    ...when(!isKnown, invalid(at, profile, `invalid AppArmor profile name: ${goQuote(profile)}`)),
  ];
}

/** Who says it in both ways says the same. */
export function annotationMatchErrors(annotations: JsonObject, spec: JsonObject, path: string): FieldError[] {
  const ofPod = fieldsOf(spec["securityContext"]);
  return [
    ...partErrors(ofPod["seccompProfile"], `${path}.securityContext.seccompProfile`, (profile, at) =>
      matchErrors(profile, annotations[seccompPodAnnotation], { at, ...seccompWords }),
    ),
    ...visitedContainers(spec, path).flatMap(({ container, path: containerPath }) =>
      partErrors(
        fieldsOf(container["securityContext"])["seccompProfile"],
        `${containerPath}.securityContext.seccompProfile`,
        (profile, at) =>
          matchErrors(profile, annotations[`${seccompPrefix}${textOf(container["name"])}`], { at, ...seccompWords }),
      ),
    ),
    ...(fieldsOf(spec["os"])["name"] === "windows" ? [] : appArmorMatchErrors(annotations, spec, path)),
  ];
}

function appArmorMatchErrors(annotations: JsonObject, spec: JsonObject, path: string): FieldError[] {
  const ofPod = fieldsOf(spec["securityContext"])["appArmorProfile"];
  return visitedContainers(spec, path).flatMap(({ container, path: containerPath }) => {
    const profile = fieldsOf(container["securityContext"])["appArmorProfile"] ?? ofPod;
    const annotation = annotations[`${appArmorPrefix}${textOf(container["name"])}`];
    if (!isFields(profile)) return [];
    const at = `${containerPath}.securityContext.appArmorProfile`;
    return matchErrors(profile, annotation, { at, what: "apparmor", defaults: ["runtime/default"] });
  });
}

interface MatchWords {
  readonly at: string;
  readonly what: string;
  /** The names of the default of the runtime. */
  readonly defaults: readonly string[];
}

const seccompWords = { what: "seccomp", defaults: ["runtime/default", "docker/default"] };

function matchErrors(
  profile: JsonObject,
  annotation: JsonValue | undefined,
  { at, what, defaults }: MatchWords,
): FieldError[] {
  if (typeof annotation !== "string") return [];
  const ofType = forbidden(`${at}.type`, `${what} type in annotation and field must match`);
  switch (textOf(profile["type"])) {
    case "Unconfined":
      return when(annotation !== "unconfined", ofType);
    case "RuntimeDefault":
      return when(!defaults.includes(annotation), ofType);
    case "Localhost": {
      if (!annotation.startsWith("localhost/")) return [ofType];
      const isSame = annotation === `localhost/${textOf(profile["localhostProfile"])}`;
      return when(!isSame, forbidden(`${at}.localhostProfile`, `${what} profile in annotation and field must match`));
    }
    default:
      return [];
  }
}

/** Annotations that stay as they were when the Pod was made. */
export function annotationUpdateErrors(now: JsonObject, before: JsonObject, path: string): FieldError[] {
  const changed = Object.keys(before).filter((key) => now[key] !== before[key]);
  const added = Object.keys(now).filter((key) => before[key] === undefined);
  return [
    ...changed.flatMap((key) => settledErrors(key, path, "remove or update")),
    ...added.flatMap((key) => settledErrors(key, path, "add")),
  ];
}

function settledErrors(key: string, path: string, action: string): FieldError[] {
  if (key.startsWith(appArmorPrefix)) {
    return [forbidden(`${path}[${key}]`, `may not ${action} AppArmor annotations`)];
  }
  return when(key === mirrorAnnotation, forbidden(`${path}[${key}]`, `may not ${action} mirror pod annotation`));
}
