/**
 * What the drivers of Azure have in common: `cloud-config-controller.ts` brings the cloud's configuration to where their Pods can mount
 * it, `stack-hub.ts` fits them to Azure Stack Hub, which is Azure in somebody's own data centre, and `hosted.ts` to a control plane that
 * is Pods of another cluster.
 */
export { azureCloudConfig, cloudConfigController, cloudConfigRules } from "./cloud-config-controller.ts";
export { azureHosted } from "./hosted.ts";
export { injectorImages } from "./injector-image.ts";
export { isStackHub, withStackHubEndpoints } from "./stack-hub.ts";
