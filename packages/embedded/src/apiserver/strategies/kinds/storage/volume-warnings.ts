import type { JsonObject } from "@stowage/machinery/apply";
import { fieldsOf, listOf, metadataOf, specOf, textOf } from "../../json-fields.ts";
import { expressionWarnings } from "./node-selectors.ts";
import { mountOptionAnnotation } from "./volume-errors.ts";

const annotationWarnings = [
  ["volume.beta.kubernetes.io/storage-class", 'deprecated since v1.8; use "storageClassName" attribute instead'],
  [mountOptionAnnotation, 'deprecated since v1.31; use "mountOptions" attribute instead'],
] as const;

const outdatedSources = [
  ["cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["storageos", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["rbd", "deprecated in v1.28, non-functional in v1.31+"],
] as const;

const recycling =
  "The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.";

/** Of what still works and should not be used, or does not work any more. */
export function volumeWarnings(object: JsonObject): string[] {
  const spec = specOf(object);
  const annotations = fieldsOf(metadataOf(object)["annotations"]);
  const terms = listOf(fieldsOf(fieldsOf(spec["nodeAffinity"])["required"])["nodeSelectorTerms"]);
  const isRecycled = textOf(spec["persistentVolumeReclaimPolicy"]) === "Recycle";
  return [
    ...annotationWarnings
      .filter(([name]) => Object.hasOwn(annotations, name))
      .map(([name, why]) => `metadata.annotations[${name}]: ${why}`),
    ...(isRecycled ? [`spec.persistentVolumeReclaimPolicy: ${recycling}`] : []),
    ...terms.flatMap((term, index) =>
      expressionWarnings(fieldsOf(term)["matchExpressions"], `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`),
    ),
    ...outdatedSources
      .filter(([name]) => spec[name] !== undefined)
      .map(([name, why]) => `spec.${name === "storageos" ? "storageOS" : name}: ${why}`),
  ];
}
