import type { Infrastructure } from "@stowage/machinery";

/** Before the operators of the payload, after the definitions. */
const fileName = "0000_20_platform_01_infrastructure.json";

const infrastructure: Infrastructure = {
  apiVersion: "config.openshift.io/v1",
  kind: "Infrastructure",
  // Whoever has said already what the cluster runs on knows better.
  metadata: { name: "cluster", annotations: { "release.openshift.io/create-only": "true" } },
  spec: { platformSpec: { type: "External", external: { platformName: "local" } } },
};

/** Says that volumes are to be on the nodes' own disks, which is never guessed. */
export const localPlatformManifest: Readonly<Record<string, string>> = {
  [fileName]: `${JSON.stringify(infrastructure, undefined, 2)}\n`,
};
