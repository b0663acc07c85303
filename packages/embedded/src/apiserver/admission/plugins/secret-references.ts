import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { fieldsOf, listOf, metadataOf, specOf, textOf } from "../../strategies/index.ts";
import { type ObjectAdmission, refusal } from "../admission-plugin.ts";

const enforcement = "kubernetes.io/enforce-mountable-secrets";
/** What Go takes for yes. */
const yes: ReadonlySet<string> = new Set(["1", "t", "T", "true", "TRUE", "True"]);

/** Throws when the account may use listed secrets only, and the Pod uses another. */
export function checkMountableSecrets(admission: ObjectAdmission, account: JsonObject): void {
  const { annotations, name } = metadataOf(account);
  if (!yes.has(textOf(fieldsOf(annotations)[enforcement]))) return;
  const who = `service account ${textOf(name)} does not reference that`;
  const spec = specOf(admission.object);
  const listed = namesIn(account["secrets"]);
  for (const { secret, text } of references(spec)) {
    if (!listed.has(secret)) throw refusal(admission, `${text} is not allowed because ${who} secret`);
  }
  const pulled = namesIn(account["imagePullSecrets"]);
  for (const [index, reference] of listOf(spec["imagePullSecrets"]).entries()) {
    const secret = textOf(fieldsOf(reference)["name"]);
    if (pulled.has(secret)) continue;
    const text = `imagePullSecrets[${index}].name="${secret}"`;
    throw refusal(admission, `${text} is not allowed because ${who} imagePullSecret`);
  }
}

function namesIn(list: JsonValue | undefined): ReadonlySet<string> {
  return new Set(listOf(list).map((each) => textOf(fieldsOf(each)["name"])));
}

interface SecretReference {
  readonly secret: string;
  /** What uses it. */
  readonly text: string;
}

function references(spec: JsonObject): SecretReference[] {
  return [
    ...listOf(spec["volumes"]).flatMap((volume) => {
      const { secret } = fieldsOf(volume);
      const name = textOf(fieldsOf(secret)["secretName"]);
      return secret === undefined ? [] : [{ secret: name, text: `volume with secret.secretName="${name}"` }];
    }),
    ...listOf(spec["initContainers"]).flatMap((each) => containerReferences(fieldsOf(each), "init container")),
    ...listOf(spec["containers"]).flatMap((each) => containerReferences(fieldsOf(each), "container")),
  ];
}

function containerReferences(container: JsonObject, what: string): SecretReference[] {
  const named = `${what} ${textOf(container["name"])}`;
  const variables = listOf(container["env"]).flatMap((each) => {
    const { name, valueFrom } = fieldsOf(each);
    const { secretKeyRef } = fieldsOf(valueFrom);
    if (secretKeyRef === undefined) return [];
    const secret = textOf(fieldsOf(secretKeyRef)["name"]);
    return [{ secret, text: `${named} with envVar ${textOf(name)} referencing secret.secretName="${secret}"` }];
  });
  const sources = listOf(container["envFrom"]).flatMap((each) => {
    const { secretRef } = fieldsOf(each);
    if (secretRef === undefined) return [];
    const secret = textOf(fieldsOf(secretRef)["name"]);
    return [{ secret, text: `${named} with envFrom referencing secret.secretName="${secret}"` }];
  });
  return [...variables, ...sources];
}

/** Whether a Pod uses any secret, wherever the API has a field for it. */
export function namesSecrets(spec: JsonObject): boolean {
  return (
    listOf(spec["imagePullSecrets"]).length > 0 || references(spec).length > 0 || listOf(spec["volumes"]).some(usesOne)
  );
}

const secretFields = ["nodePublishSecretRef", "secretRef", "readOnlySecretRef"];

function usesOne(volume: JsonValue): boolean {
  const sources = Object.values(fieldsOf(volume)).map((source) => fieldsOf(source));
  const isProjected = sources.some(({ sources: inner }) =>
    listOf(inner).some((each) => fieldsOf(each)["secret"] !== undefined),
  );
  return isProjected || sources.some((source) => secretFields.some((field) => source[field] !== undefined));
}
