import type { Pod } from "@stowage/machinery";

/** What drivers that ask for it are told of the Pod that a volume is published for. */
export function podAttributes({ metadata, spec }: Pod, isInline: boolean): Record<string, string> {
  return {
    "csi.storage.k8s.io/pod.name": metadata.name ?? "",
    "csi.storage.k8s.io/pod.namespace": metadata.namespace ?? "",
    "csi.storage.k8s.io/pod.uid": metadata.uid ?? "",
    "csi.storage.k8s.io/serviceAccount.name": spec?.serviceAccountName ?? "",
    "csi.storage.k8s.io/ephemeral": String(isInline),
  };
}
