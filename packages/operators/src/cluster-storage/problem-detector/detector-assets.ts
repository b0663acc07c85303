import type { KubernetesObject } from "@stowage/machinery";
import { type Asset, parseManifests, type StaticResource } from "@stowage/operator";
import { readAssetFolder } from "../../assets/index.ts";

/** Of the storage operator's environment. */
export const detectorImageVariable = "VSPHERE_PROBLEM_DETECTOR_OPERATOR_IMAGE";
/** Of its Deployment and ServiceAccount. */
export const detectorName = "vsphere-problem-detector-operator";
/** Of the payload: bound, and never held, by the storage operator. */
export const detectorRoles = { everywhere: `${detectorName}-clusterrole`, inNamespaces: `${detectorName}-role` };
/** In the storage operator's namespace: what its Pods restart for. */
export const detectorSecrets = ["vsphere-cloud-credentials", "vsphere-problem-detector-serving-cert"] as const;
/** Likewise; it has the cluster's authorities, once somebody has put them in. */
export const detectorAuthorities = "trusted-ca-bundle";

export interface DetectorAssets {
  /** Its ServiceAccount, bindings, ConfigMaps and Service; its roles come with the payload. */
  readonly fixed: readonly StaticResource[];
  readonly deployment: Asset;
  /** Who reads its figures, and which alerts are made of them: of APIs that not every cluster has. */
  readonly monitoring: readonly StaticResource[];
}

export function detectorAssets(): DetectorAssets {
  const files = readAssetFolder(new URL("../assets/vsphere-problem-detector/", import.meta.url)).map(
    ({ name, text }): Asset => ({ name: `vsphere-problem-detector/${name}`, text }),
  );
  const [deployment] = files.filter(isDeployment);
  const resources = files
    .filter((file) => !isDeployment(file))
    .flatMap((file) => parseManifests(file).map((object): StaticResource => ({ asset: file.name, object })));
  return {
    fixed: resources.filter((resource) => !isOfMonitoring(resource)),
    deployment: deployment as Asset,
    monitoring: resources.filter(isOfMonitoring),
  };
}

function isDeployment({ name }: Asset): boolean {
  return name.endsWith("_deployment.yaml");
}

function isOfMonitoring({ object }: StaticResource): boolean {
  return object.apiVersion.startsWith("monitoring.coreos.com/");
}

/** All but the Deployment: what the storage operator has to be allowed to make. */
export function detectorObjects(): KubernetesObject[] {
  const { fixed, monitoring } = detectorAssets();
  return [...fixed, ...monitoring].map(({ object }) => object);
}
