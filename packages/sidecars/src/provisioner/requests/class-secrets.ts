import type { PersistentVolumeClaim } from "@stowage/machinery";
import { parameterPrefix } from "@stowage/machinery";
import { type SecretParameter, type SecretRef, secretRefOf } from "../../secrets/index.ts";

type Parameters = Readonly<Record<string, string>>;

function secretParameter(purpose: string, deprecatedKey?: string): SecretParameter {
  const keys = (part: "Name" | "Namespace") => [
    `${parameterPrefix}${purpose}secret-${part.toLowerCase()}`,
    ...(deprecatedKey === undefined ? [] : [`${deprecatedKey}${part}`]),
  ];
  return {
    purpose: purpose === "" ? "default" : purpose.slice(0, -1),
    nameKeys: keys("Name"),
    namespaceKeys: keys("Namespace"),
  };
}

/** For each call that has none of its own. */
const defaultSecret = secretParameter("");

/** Every Secret that a StorageClass can name, by the call that needs it. */
export const classSecrets = {
  provisioner: secretParameter("provisioner-", "csiProvisionerSecret"),
  controllerPublish: secretParameter("controller-publish-", "csiControllerPublishSecret"),
  nodeStage: secretParameter("node-stage-", "csiNodeStageSecret"),
  nodePublish: secretParameter("node-publish-", "csiNodePublishSecret"),
  controllerExpand: secretParameter("controller-expand-"),
  nodeExpand: secretParameter("node-expand-"),
  controllerModify: secretParameter("controller-modify-"),
} as const;

export type ClassSecret = keyof typeof classSecrets;

/** All parameters that name Secrets and are not for the driver. The deprecated ones are: they always were handed on. */
export const secretParameterKeys: readonly string[] = [defaultSecret, ...Object.values(classSecrets)]
  .flatMap(({ nameKeys, namespaceKeys }) => [...nameKeys, ...namespaceKeys])
  .filter((key) => key.startsWith(parameterPrefix));

export interface SecretSubject {
  readonly volumeName: string;
  readonly claim: Pick<PersistentVolumeClaim, "metadata">;
}

/** The Secret for one kind of call, or undefined. Throws SECRET_PARAMETERS_INVALID. */
export function classSecretRef(
  secret: ClassSecret,
  parameters: Parameters,
  subject: SecretSubject,
): SecretRef | undefined {
  const templates = { namespaceValues: namespaceValues(subject), nameValues: nameValues(subject) };
  return secretRefOf(classSecrets[secret], parameters, templates) ?? secretRefOf(defaultSecret, parameters, templates);
}

// Neither of the two is in the hands of whoever makes claims.
function namespaceValues({ volumeName, claim }: SecretSubject): Parameters {
  return { "pv.name": volumeName, "pvc.namespace": claim.metadata.namespace ?? "" };
}

function nameValues(subject: SecretSubject): Parameters {
  const { name = "", annotations = {} } = subject.claim.metadata;
  const byAnnotation = Object.entries(annotations).map(([key, value]) => [`pvc.annotations['${key}']`, value]);
  return { ...namespaceValues(subject), "pvc.name": name, ...Object.fromEntries(byAnnotation) };
}
