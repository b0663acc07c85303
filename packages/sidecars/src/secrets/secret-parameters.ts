import { dns1123LabelErrors, dns1123SubdomainErrors, StowageError } from "@stowage/machinery";
import { expandTemplate, type TemplateValues } from "./secret-template.ts";

export interface SecretRef {
  readonly namespace: string;
  readonly name: string;
}

/** One secret that a class can name: the parameters that hold its name and namespace, the deprecated ones too. */
export interface SecretParameter {
  /** For messages: `provisioner`. */
  readonly purpose: string;
  readonly nameKeys: readonly string[];
  readonly namespaceKeys: readonly string[];
}

export interface SecretTemplates {
  /** What the template of the namespace may use; fewer, so that users cannot point into namespaces of others. */
  readonly namespaceValues: TemplateValues;
  readonly nameValues: TemplateValues;
}

/** Which Secret the parameters name; undefined when they name none. Both halves or neither. */
export function secretRefOf(
  { purpose, nameKeys, namespaceKeys }: SecretParameter,
  parameters: Readonly<Record<string, string>>,
  { namespaceValues, nameValues }: SecretTemplates,
): SecretRef | undefined {
  const fail = (message: string, cause?: unknown): never => {
    throw new StowageError("SECRET_PARAMETERS_INVALID", `the ${purpose} secret of the class: ${message}`, { cause });
  };
  const nameTemplate = soleValue(nameKeys, parameters, fail);
  const namespaceTemplate = soleValue(namespaceKeys, parameters, fail);
  if (nameTemplate === undefined && namespaceTemplate === undefined) return undefined;
  if (nameTemplate === undefined || namespaceTemplate === undefined) {
    return fail(`${nameTemplate === undefined ? nameKeys[0] : namespaceKeys[0]} is missing: give both or neither`);
  }
  const namespace = expanded(namespaceTemplate, namespaceValues, fail);
  const name = expanded(nameTemplate, nameValues, fail);
  const [problem] = [...dns1123LabelErrors(namespace), ...dns1123SubdomainErrors(name)];
  if (problem !== undefined) return fail(`${namespace}/${name} cannot be the name of a Secret: ${problem}`);
  return { namespace, name };
}

type Fail = (message: string, cause?: unknown) => never;

function soleValue(
  keys: readonly string[],
  parameters: Readonly<Record<string, string>>,
  fail: Fail,
): string | undefined {
  const present = keys.filter((key) => Object.hasOwn(parameters, key));
  if (present.length > 1) return fail(`${present.join(" and ")} say the same thing: keep one of them`);
  return present[0] === undefined ? undefined : parameters[present[0]];
}

function expanded(template: string, values: TemplateValues, fail: Fail): string {
  try {
    return expandTemplate(template, values);
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error), error);
  }
}
