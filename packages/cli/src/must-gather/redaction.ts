import type { ConfigMap, KubernetesObject, Secret } from "@stowage/machinery";
import type { KnownSecrets } from "./known-secrets.ts";
import {
  isSensitiveName,
  REDACTED,
  withoutSensitiveEntries,
  withoutSensitiveFlags,
  withoutTellingParts,
} from "./sensitive-text.ts";

export interface Redaction {
  readonly known: Pick<KnownSecrets, "scrub">;
  /** Some Secrets could not be read, so that nobody knows what to look for: free text is left out altogether. */
  readonly isStrict: boolean;
}

type Values = Readonly<Record<string, string>>;

/** Of an annotation of a Secret these say nothing but who made it. */
const harmlessOfSecrets =
  /^(?:kubernetes\.io\/service-account\.(?:name|uid)|service\.(?:beta|alpha)\.openshift\.io\/[\w-]+)$/u;

/** The object as it may be written: names and shapes stay, values that are secret or may be do not. */
export function redactedObject(object: KubernetesObject, redaction: Redaction): KubernetesObject {
  const { managedFields: _managedFields, annotations, ...metadata } = object.metadata;
  const kept = annotations && { annotations: redactedAnnotations(object, annotations, redaction) };
  const plain = { ...object, metadata: { ...metadata, ...kept } };
  if (object.kind === "Secret") return redactedSecret(plain as Secret);
  return redactedValue(object.kind === "ConfigMap" ? redactedMap(plain as ConfigMap, redaction) : plain, redaction);
}

function redactedAnnotations({ kind }: KubernetesObject, annotations: Values, { isStrict }: Redaction): Values {
  const isKept = (key: string) => {
    // A copy of the whole object, with all that is taken out of it here.
    if (key === "kubectl.kubernetes.io/last-applied-configuration" || isSensitiveName(key)) return false;
    return kind === "Secret" ? harmlessOfSecrets.test(key) : !isStrict;
  };
  return mapped(annotations, (value, key) => (isKept(key) ? value : REDACTED));
}

/** An empty value is often the trouble, and no secret. */
function redactedSecret(secret: Secret): Secret {
  const { data, stringData, ...rest } = secret;
  const hide = (values: Values) => mapped(values, (value) => (value === "" ? "" : REDACTED));
  return { ...rest, ...(data && { data: hide(data) }), ...(stringData && { stringData: hide(stringData) }) };
}

function redactedMap(map: ConfigMap, { isStrict }: Redaction): ConfigMap {
  const { data, binaryData, ...rest } = map;
  const text = (value: string, key: string) =>
    isStrict || isSensitiveName(key) ? REDACTED : withoutSensitiveEntries(value);
  return {
    ...rest,
    ...(data && { data: mapped(data, text) }),
    ...(binaryData && { binaryData: mapped(binaryData, () => REDACTED) }),
  };
}

/** Every string within, by the name that it has. */
function redactedValue<T>(value: T, redaction: Redaction, name = ""): T {
  if (typeof value === "string") return redactedText(value, redaction, name) as T;
  if (Array.isArray(value)) return redactedList(value, redaction, name) as T;
  if (typeof value !== "object" || value === null) return value;
  if (redaction.isStrict && freeFields.has(name)) return withoutTexts(value);
  const entries = Object.entries(value).flatMap(([key, each]) =>
    each === undefined ? [] : [[key, redactedValue(each, redaction, key)]],
  );
  return Object.fromEntries(entries) as T;
}

/** Fields that take whatever somebody writes into them. */
const freeFields: ReadonlySet<string> = new Set(["parameters", "unsupportedConfigOverrides", "volumeAttributes"]);

function withoutTexts<T>(value: T): T {
  if (typeof value === "string") return REDACTED as T;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutTexts) as T;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutTexts(each)])) as T;
}

function redactedText(text: string, { known }: Redaction, name: string): string {
  return isSensitiveName(name) && text !== "" ? REDACTED : known.scrub(withoutTellingParts(text));
}

function redactedList(list: readonly unknown[], redaction: Redaction, name: string): unknown[] {
  if (name === "env") return list.map((each) => redactedVariable(each, redaction));
  const isOfProgram = name === "args" || name === "command";
  if (isOfProgram && redaction.isStrict) return list.map(flagAlone);
  const words = isOfProgram && list.every((each) => typeof each === "string") ? withoutSensitiveFlags(list) : list;
  return words.map((each) => redactedValue(each, redaction));
}

/** `--name=redacted` */
function flagAlone(word: unknown): string {
  const [, flag = "", value] = /^(--?[\w.-]+)(=.*)?$/su.exec(String(word)) ?? [];
  if (flag === "") return REDACTED;
  return value === undefined ? flag : `${flag}=${REDACTED}`;
}

function redactedVariable(variable: unknown, redaction: Redaction): unknown {
  const { name = "", value, ...rest } = variable as { name?: string; value?: string };
  if (value === undefined || value === "") return redactedValue(variable, redaction);
  const isHidden = redaction.isStrict || isSensitiveName(name);
  return { name, value: isHidden ? REDACTED : redactedText(value, redaction, ""), ...rest };
}

function mapped(values: Values, change: (value: string, key: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value, key)]));
}
