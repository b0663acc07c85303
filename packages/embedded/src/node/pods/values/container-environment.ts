import { type ConfigMap, type Container, type EnvVar, type Pod, type Secret, StowageError } from "@stowage/machinery";
import { containerResource } from "./container-resources.ts";
import { type PodPlace, podField } from "./pod-fields.ts";
import { expanded } from "./variable-expansion.ts";

/** Where variables come from. Undefined: there is no such object. */
export interface EnvironmentSources {
  configMap(name: string): ConfigMap | undefined;
  secret(name: string): Secret | undefined;
  /** Of the services that the Pod was started beside, and of the API server. */
  readonly services: Readonly<Record<string, string>>;
  readonly place: PodPlace;
  readonly allocatable: Readonly<Record<string, string>>;
}

/** The variables of a container. Throws `CONTAINER_CONFIG` when one of them cannot be had, in kubelet's words. */
export function containerEnvironment(
  pod: Pod,
  container: Container,
  sources: EnvironmentSources,
): Record<string, string> {
  const variables: Record<string, string> = { ...fromObjects(container, sources) };
  for (const variable of container.env ?? []) {
    const value = variableValue(pod, container, variable, { ...sources, known: variables });
    if (value !== undefined) variables[variable.name] = value;
  }
  return { ...sources.services, ...variables };
}

function fromObjects({ envFrom = [] }: Container, sources: EnvironmentSources): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const { prefix = "", configMapRef, secretRef } of envFrom) {
    const found =
      configMapRef === undefined
        ? secretTexts(sources, secretRef?.name ?? "", secretRef?.optional ?? false)
        : configMapTexts(sources, configMapRef.name ?? "", configMapRef.optional ?? false);
    for (const [key, value] of Object.entries(found)) variables[`${prefix}${key}`] = value;
  }
  return variables;
}

type Known = EnvironmentSources & { readonly known: Readonly<Record<string, string>> };

/** Undefined for one that is optional and not there. */
function variableValue(
  pod: Pod,
  container: Container,
  { name, value, valueFrom }: EnvVar,
  sources: Known,
): string | undefined {
  if (valueFrom === undefined) {
    return expanded(value ?? "", (other) => sources.known[other] ?? sources.services[other]);
  }
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  if (fieldRef !== undefined) {
    return podField(pod, fieldRef.fieldPath, sources.place) ?? refuse(`unsupported fieldPath: ${fieldRef.fieldPath}`);
  }
  if (resourceFieldRef !== undefined) {
    const { allocatable } = sources;
    const found = containerResource(pod, resourceFieldRef, { container, allocatable });
    return found ?? refuse(`unsupported container resource : ${resourceFieldRef.resource}`);
  }
  if (configMapKeyRef !== undefined) {
    const { name: object = "", key, optional = false } = configMapKeyRef;
    const found = configMapTexts(sources, object, optional)[key];
    return found ?? (optional ? undefined : refuse(`couldn't find key ${key} in ConfigMap ${placeOf(pod)}/${object}`));
  }
  if (secretKeyRef === undefined) return refuse(`invalid valueFrom of variable ${name}`);
  const { name: object = "", key, optional = false } = secretKeyRef;
  const found = secretTexts(sources, object, optional)[key];
  return found ?? (optional ? undefined : refuse(`couldn't find key ${key} in Secret ${placeOf(pod)}/${object}`));
}

function configMapTexts(
  sources: EnvironmentSources,
  name: string,
  isOptional: boolean,
): Readonly<Record<string, string>> {
  const object = sources.configMap(name);
  if (object === undefined && !isOptional) return refuse(`configmap "${name}" not found`);
  return object?.data ?? {};
}

function secretTexts(sources: EnvironmentSources, name: string, isOptional: boolean): Readonly<Record<string, string>> {
  const object = sources.secret(name);
  if (object === undefined && !isOptional) return refuse(`secret "${name}" not found`);
  const texts = Object.entries(object?.data ?? {}).map(([key, base64]) => [
    key,
    Buffer.from(base64, "base64").toString(),
  ]);
  return Object.fromEntries(texts) as Record<string, string>;
}

const placeOf = (pod: Pod) => pod.metadata.namespace ?? "";

function refuse(message: string): never {
  throw new StowageError("CONTAINER_CONFIG", message);
}
