import { isContained, isSameContent } from "../content.ts";
import type { KindRule } from "../kind-rule.ts";
import { type Fields, fieldsOf } from "../loose-object.ts";
import { mergePairs } from "../object-metadata.ts";
import { specHashOf, withSpecHash } from "../spec-hash.ts";

const ours = "operator.openshift.io/";

/**
 * Deployment and DaemonSet: written when the wanted spec is another one, or when somebody else changed the object, which its
 * generation tells. Foreign annotations of the Pod template survive, so that `kubectl rollout restart` is not undone.
 */
export const workloadRule: KindRule = {
  prepare: withSpecHash,
  compare(existing, required, { lastGeneration }) {
    const there = fieldsOf(existing, "spec");
    const wanted = fieldsOf(required, "spec");
    const isUntouched =
      lastGeneration === undefined
        ? isContained(wanted, there, { mayDropZeros: true })
        : existing.metadata.generation === lastGeneration;
    if (isUntouched && specHashOf(existing) === specHashOf(required)) return undefined;
    if (!isSameContent(there["selector"], wanted["selector"])) return { recreate: required };
    return { fields: { spec: withForeignAnnotations(wanted, there) } };
  },
};

function withForeignAnnotations(wanted: Fields, there: Fields): Fields {
  const template = fieldsOf(wanted, "template");
  const metadata = fieldsOf(template, "metadata");
  const foreign = Object.entries(annotationsOf(there)).filter(([key]) => !key.startsWith(ours));
  if (foreign.length === 0) return wanted;
  const annotations = mergePairs(Object.fromEntries(foreign), annotationsOf(wanted));
  return { ...wanted, template: { ...template, metadata: { ...metadata, annotations } } };
}

function annotationsOf(spec: Fields): Record<string, string> {
  return fieldsOf(fieldsOf(fieldsOf(spec, "template"), "metadata"), "annotations") as Record<string, string>;
}
