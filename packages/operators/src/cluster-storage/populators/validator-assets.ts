import type { KubernetesObject } from "@stowage/machinery";
import { type Asset, parseManifests, type StaticResource } from "@stowage/operator";
import { readAssetFolder } from "../../assets/index.ts";

/** Of the storage operator's environment. */
export const validatorImageVariable = "VOLUME_DATA_SOURCE_VALIDATOR_IMAGE";
/** Of its Deployment and of everything around it. */
export const validatorName = "volume-data-source-validator";

export interface ValidatorAssets {
  /** Its ServiceAccount, roles and bindings. */
  readonly fixed: readonly StaticResource[];
  readonly deployment: Asset;
}

export function validatorAssets(): ValidatorAssets {
  const files = readAssetFolder(new URL("../assets/volumedatasourcevalidator/", import.meta.url)).map(
    ({ name, text }): Asset => ({ name: `volumedatasourcevalidator/${name}`, text }),
  );
  const isDeployment = ({ name }: Asset) => name.endsWith("_deployment.yaml");
  const [deployment] = files.filter(isDeployment);
  return {
    fixed: files
      .filter((file) => !isDeployment(file))
      .flatMap((file) => parseManifests(file).map((object) => ({ asset: file.name, object }))),
    deployment: deployment as Asset,
  };
}

/** All but the Deployment: what the storage operator has to be allowed to make. */
export function validatorObjects(): KubernetesObject[] {
  return validatorAssets().fixed.map(({ object }) => object);
}
