import type { ConfigMap } from "@stowage/machinery";
import { withDependencyHashes } from "../../apply/index.ts";
import { hasTrustedCaBundle, trustedCaKey } from "../../configuration/index.ts";
import type { Workload } from "./hook-context.ts";
import { withNamedContainers, withPodSpec } from "./pod-spec.ts";

const annotation = "config.openshift.io/inject-proxy-cabundle";
const volumeName = "non-standard-root-system-trust-ca-bundle";
const mountPath = "/etc/pki/ca-trust/extracted/pem";

/**
 * WithCABundle: the trusted authorities, for the containers that the workload's annotation names, as soon as somebody has put them
 * into the ConfigMap. Pods restart when they change.
 */
export function withCaBundle(configMap: () => ConfigMap | undefined) {
  return <W extends Workload>(workload: W): W => {
    const bundle = configMap();
    if (bundle === undefined || !hasTrustedCaBundle(bundle)) return workload;
    const volume = {
      name: volumeName,
      configMap: { name: bundle.metadata.name, items: [{ key: trustedCaKey, path: "tls-ca-bundle.pem" }] },
    };
    const mounted = withPodSpec(workload, (pod) => ({
      ...withNamedContainers(pod, workload.metadata.annotations?.[annotation], (container) => ({
        ...container,
        volumeMounts: [...(container.volumeMounts ?? []), { name: volumeName, mountPath, readOnly: true }],
      })),
      volumes: [...(pod.volumes ?? []), volume],
    }));
    return withDependencyHashes(mounted, [bundle]);
  };
}
