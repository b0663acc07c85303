import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, forbidden, invalid, required, tooLong } from "@stowage/machinery/structural";
import { isFields, specOf, textOf } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { immutableField } from "../immutability.ts";
import { choiceErrors, labelErrors, subdomainErrors } from "../storage/field-checks.ts";
import { referenceErrors } from "./object-references.ts";

const mostControllerBytes = 250;

export const ingressClassRules: KindRules = {
  defaults(object) {
    const parameters = specOf(object)["parameters"];
    if (!isFields(parameters)) return object;
    return {
      ...object,
      spec: { ...specOf(object), parameters: { ...parameters, scope: parameters["scope"] ?? "Cluster" } },
    };
  },
  checks: {
    create: (object, metadata) => [...metadata, ...classErrors(specOf(object))],
    update: (object, old, { own, changes }) => [
      ...changes,
      ...immutableField("spec.controller", specOf(object)["controller"], specOf(old)["controller"]),
      ...own,
      ...classErrors(specOf(object)),
    ],
  },
};

function classErrors({ controller, parameters }: JsonObject): FieldError[] {
  const name = textOf(controller);
  return [
    ...(Buffer.byteLength(name) > mostControllerBytes ? [tooLong("spec.controller", mostControllerBytes)] : []),
    ...prefixedPathErrors(name, "spec.controller"),
    ...(isFields(parameters) ? parameterErrors(parameters, "spec.parameters") : []),
  ];
}

function prefixedPathErrors(text: string, path: string): FieldError[] {
  if (text === "") return [required(path)];
  const slash = text.indexOf("/");
  const [host, rest] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash < 0 || host === "" || rest === "") {
    return [invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  return [
    ...subdomainErrors(host, path),
    ...(/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/u.test(rest)
      ? []
      : [invalid(path, rest, "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')")]),
  ];
}

function parameterErrors(parameters: JsonObject, path: string): FieldError[] {
  const { scope, namespace } = parameters;
  const at = `${path}.namespace`;
  const ofScope = choiceErrors(scope, `${path}.scope`, ["Cluster", "Namespace"]);
  const ofNamespace =
    scope === "Namespace"
      ? namespace === undefined
        ? [required(at, "`parameters.scope` is set to 'Namespace'")]
        : labelErrors(textOf(namespace), at)
      : scope === "Cluster" && namespace !== undefined
        ? [forbidden(at, "`parameters.scope` is set to 'Cluster'")]
        : [];
  return [...referenceErrors(parameters, path), ...ofScope, ...ofNamespace];
}
