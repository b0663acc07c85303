import type { PersistentVolumeClaim } from "@stowage/machinery";
import { type Finding, field, keyOf } from "../finding.ts";
import { remove } from "../mending.ts";

/** What kubectl keeps of what it was given. */
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";
const FEATURE = "CrossNamespaceVolumeDataSource";

interface AskedSource {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * A source in another namespace is dropped without a word by API servers whose alpha feature is off, and nobody asks for a ReferenceGrant
 * any more: the claim becomes one like any other, with an empty volume. Only what was applied still tells.
 */
export async function droppedSource(claim: PersistentVolumeClaim): Promise<Finding | undefined> {
  const source = askedSource(claim);
  const { dataSource, dataSourceRef } = claim.spec ?? {};
  if (source === undefined || dataSource !== undefined || dataSourceRef !== undefined) return undefined;
  const { kind } = source;
  return {
    cause: "SOURCE_NAMESPACE_DROPPED",
    says:
      `The claim was to be filled from ${kind} ${keyOf(source)} of another namespace, and the API server has dropped that: ` +
      `its feature ${FEATURE} is off. The volume is empty, or will be.`,
    evidence: [
      field(claim, `metadata.annotations.${lastApplied}`, `spec.dataSourceRef ${kind} ${keyOf(source)}`),
      field(claim, "spec.dataSourceRef", "not set"),
    ],
    mend: [`kubectl get ${kind.toLowerCase()} ${source.name} -n ${source.namespace}`, remove(claim)],
  };
}

function askedSource({ metadata }: PersistentVolumeClaim): AskedSource | undefined {
  const text = metadata.annotations?.[lastApplied];
  if (text === undefined) return undefined;
  const { kind, namespace, name } = applied(text)?.spec?.dataSourceRef ?? {};
  if (kind === undefined || name === undefined || namespace === undefined || namespace === metadata.namespace) {
    return undefined;
  }
  return { kind, namespace, name };
}

function applied(text: string): { readonly spec?: { readonly dataSourceRef?: Partial<AskedSource> } } | undefined {
  try {
    return JSON.parse(text) as ReturnType<typeof applied>;
  } catch {
    return undefined; // Somebody else wrote it.
  }
}
