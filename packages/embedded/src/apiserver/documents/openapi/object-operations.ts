import type { ServedSubresource } from "../../resources/index.ts";
import { contentOf, type KindName, type Operation, type Parameter, referenceTo } from "./openapi-types.ts";
import {
  bodyOf,
  capital,
  commonParameters,
  metaName,
  type OperationScene,
  operation,
  responses,
} from "./operation-scene.ts";

const writeParameters = ["dryRun", "fieldManager", "fieldValidation"];
const deleteParameters = [
  "dryRun",
  "gracePeriodSeconds",
  "ignoreStoreReadErrorWithClusterBreakingPotential",
  "orphanDependents",
  "propagationPolicy",
];

/** Of which a deletion answers with the object that was deleted. */
const answeredByObject: ReadonlySet<string> = new Set([
  "csidrivers",
  "csinodes",
  "persistentvolumeclaims",
  "persistentvolumes",
  "pods",
  "podtemplates",
  "resourcequotas",
  "serviceaccounts",
  "services",
  "storageclasses",
  "volumeattachments",
  "volumeattributesclasses",
]);

/** What is done with one object, or with a part of it. */
export function objectOperations(scene: OperationScene, part?: ServedSubresource): Record<string, Operation> {
  const { verbs } = part ?? scene.resource;
  return {
    ...(verbs.includes("get") && { get: readOperation(scene, part) }),
    ...(verbs.includes("update") && { put: replaceOperation(scene, part) }),
    ...(verbs.includes("delete") && { delete: deleteOperation(scene) }),
    ...(verbs.includes("patch") && { patch: patchOperation(scene, part) }),
  };
}

/** What the object, or the part, is. */
interface Subject {
  readonly isNamespaced: boolean;
  readonly suffix: string;
  readonly kind: KindName;
  /** Of the schema. */
  readonly name: string;
  /** `the specified Pod`, `status of the specified Pod`. */
  readonly text: string;
}

function subjectOf(scene: OperationScene, part?: ServedSubresource): Subject {
  const { group, version, kind: own, namespaced: isNamespaced, definition } = scene.resource;
  const text = `the specified ${own}`;
  if (part === undefined) {
    const kind = { group, version, kind: own };
    return { isNamespaced, suffix: "", kind, name: scene.nameOf(kind), text };
  }
  const { kindGroup = group, kindVersion = version } = part;
  const kind = { group: kindGroup, version: kindVersion, kind: part.kind };
  // Of a definition's own the real server names the kind that they belong to.
  const shown = definition === undefined ? kind : { group, version, kind: own };
  return {
    isNamespaced,
    suffix: capital(part.name),
    kind: shown,
    name: scene.nameOf(kind),
    text: `${part.name} of ${text}`,
  };
}

function readOperation(scene: OperationScene, part?: ServedSubresource): Operation {
  const { isNamespaced, suffix, kind, name, text } = subjectOf(scene, part);
  const { types, readParameters } = scene.dialect;
  const isText = part?.name === "log";
  const content = isText
    ? contentOf([...types, "text/plain"], { type: "string" })
    : contentOf(types, referenceTo(name));
  const parameters = commonParameters(scene, readParameters);
  const described = { description: `read ${text}`, action: "get", parameters };
  return operation(scene, {
    verb: "read",
    suffix,
    isNamespaced,
    kind,
    ...described,
    responses: responses(["200"], content),
  });
}

function replaceOperation(scene: OperationScene, part?: ServedSubresource): Operation {
  const { isNamespaced, suffix, kind, name, text } = subjectOf(scene, part);
  return operation(scene, {
    verb: "replace",
    suffix,
    isNamespaced,
    kind,
    description: `replace ${text}`,
    action: "put",
    parameters: commonParameters(scene, writeParameters),
    body: bodyOf(scene, name),
    responses: responses(["200", "201"], contentOf(scene.dialect.types, referenceTo(name))),
  });
}

function patchOperation(scene: OperationScene, part?: ServedSubresource): Operation {
  const { isNamespaced, suffix, kind, name, text } = subjectOf(scene, part);
  const { types, patchTypes, patchCodes } = scene.dialect;
  const body = { content: contentOf(patchTypes, referenceTo(metaName("Patch"))), required: true };
  return operation(scene, {
    verb: "patch",
    suffix,
    isNamespaced,
    kind,
    description: `partially update ${text}`,
    action: "patch",
    parameters: patchParameters(scene),
    body,
    responses: responses(patchCodes, contentOf(types, referenceTo(name))),
  });
}

function patchParameters(scene: OperationScene): Parameter[] {
  const { patch } = scene.library.parameters;
  return commonParameters(scene, [...writeParameters, "force"]).map((each) => patch[each.name] ?? each);
}

export function createOperation(scene: OperationScene, part?: ServedSubresource): Operation {
  const { isNamespaced, suffix, kind, name } = subjectOf(scene, part);
  const { kind: own } = scene.resource;
  const description = `create ${part === undefined ? "" : `${part.name} of `}${withArticle(own)}`;
  return operation(scene, {
    verb: "create",
    suffix,
    isNamespaced,
    kind,
    description,
    action: "post",
    parameters: commonParameters(scene, writeParameters),
    body: bodyOf(scene, name),
    responses: responses(["200", "201", "202"], contentOf(scene.dialect.types, referenceTo(name))),
  });
}

export function deleteOperation(scene: OperationScene): Operation {
  const { isNamespaced, kind, name } = subjectOf(scene);
  const { plural, kind: own, definition } = scene.resource;
  const isObject = definition === undefined && answeredByObject.has(plural);
  const answer = isObject ? name : metaName("Status");
  const { content } = bodyOf(scene, metaName("DeleteOptions"));
  return operation(scene, {
    verb: "delete",
    isNamespaced,
    kind,
    description: `delete ${withArticle(own)}`,
    action: "delete",
    parameters: commonParameters(scene, deleteParameters),
    body: { content },
    responses: responses(["200", "202"], contentOf(scene.dialect.types, referenceTo(answer))),
  });
}

/** None before what ends as many things do. */
function withArticle(word: string): string {
  if (/[^s]s$/u.test(word)) return word;
  return `${/^[AEIOU]/iu.test(word) ? "an" : "a"} ${word}`;
}
