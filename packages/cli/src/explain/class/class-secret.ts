import { type PersistentVolumeClaim, parameterPrefix, type StorageClass } from "@stowage/machinery";
import type { Facts } from "../facts.ts";
import { type Finding, field, missing } from "../finding.ts";
import { classOf } from "./class-checks.ts";

/** The Secrets that a class can name, and when they are read. */
const purposes = ["provisioner", "controller-publish", "controller-expand", "node-stage", "node-publish"] as const;

interface NamedSecret {
  readonly purpose: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

function secretsOf({ parameters = {} }: StorageClass): readonly NamedSecret[] {
  return purposes.flatMap((purpose) => {
    const name = parameters[`${parameterPrefix}${purpose}-secret-name`];
    const namespace = parameters[`${parameterPrefix}${purpose}-secret-namespace`];
    return name === undefined && namespace === undefined ? [] : [{ purpose, name, namespace }];
  });
}

/** What templates may name, in the name of a Secret; that of a namespace knows fewer. */
const variables = /\$\{(?:pv\.name|pvc\.name|pvc\.namespace|pvc\.annotations\['[^']+'\])\}/gu;
const namespaceVariables = /\$\{(?:pv\.name|pvc\.namespace)\}/gu;

/** The class names a Secret in a way that cannot be resolved. */
export async function classSecretTemplate(storageClass: StorageClass): Promise<Finding | undefined> {
  for (const { purpose, name, namespace } of secretsOf(storageClass)) {
    const path = `parameters.${parameterPrefix}${purpose}-secret`;
    const problem = problemOf(name, namespace);
    if (problem === undefined) continue;
    return {
      cause: "CLASS_SECRET_TEMPLATE_BAD",
      says: `StorageClass "${storageClass.metadata.name}" names its ${purpose} Secret in a way that cannot be resolved: ${problem}.`,
      evidence: [
        field(storageClass, `${path}-name`, name ?? "not set"),
        field(storageClass, `${path}-namespace`, namespace ?? "not set"),
      ],
      mend: [
        `kubectl get storageclass ${storageClass.metadata.name} -o yaml > class.yaml`,
        "kubectl replace --force -f class.yaml",
      ],
    };
  }
  return undefined;
}

function problemOf(name: string | undefined, namespace: string | undefined): string | undefined {
  if (name === undefined || namespace === undefined) return "name and namespace belong together";
  const left = /\$\{[^}]*\}?/u.exec(name.replaceAll(variables, "x"));
  if (left !== null) return `${left[0]} means nothing in the name of a Secret`;
  const leftInNamespace = /\$\{[^}]*\}?/u.exec(namespace.replaceAll(namespaceVariables, "x"));
  return leftInNamespace === null ? undefined : `${leftInNamespace[0]} means nothing in the namespace of a Secret`;
}

/** With the claim's own names in place of the variables; undefined where only the volume's name would tell. */
function resolved(template: string, { metadata }: PersistentVolumeClaim): string | undefined {
  const text = template
    .replaceAll("${pvc.name}", metadata.name ?? "")
    .replaceAll("${pvc.namespace}", metadata.namespace ?? "")
    .replaceAll("${pv.name}", `pvc-${metadata.uid}`)
    .replaceAll(/\$\{pvc\.annotations\['([^']+)'\]\}/gu, (_, key: string) => metadata.annotations?.[key] ?? "");
  return text.includes("${") || text === "" ? undefined : text;
}

export async function classSecretMissing(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  const storageClass = await classOf(claim, facts);
  if (storageClass === undefined) return undefined;
  for (const { purpose, name = "", namespace = "" } of secretsOf(storageClass)) {
    const [secretName, secretNamespace] = [resolved(name, claim), resolved(namespace, claim)];
    if (secretName === undefined || secretNamespace === undefined) continue;
    const ref = { namespace: secretNamespace, name: secretName };
    // All are read, so that their values are known and left out; a claim waits for that of the provisioner alone.
    if ((await facts.secretKeys(ref)) !== undefined || purpose !== "provisioner") continue;
    return {
      cause: "CLASS_SECRET_MISSING",
      says: `StorageClass "${storageClass.metadata.name}" names Secret ${ref.namespace}/${ref.name} for ${purpose}, which does not exist.`,
      evidence: [
        field(storageClass, `parameters.${parameterPrefix}${purpose}-secret-name`, name),
        missing("Secret", ref),
      ],
      mend: [`kubectl create secret generic ${ref.name} -n ${ref.namespace} --from-literal=KEY=VALUE`],
    };
  }
  return undefined;
}
