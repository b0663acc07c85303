import { StowageError } from "@stowage/machinery";
import { parseIni } from "../../../../cloud-config/index.ts";

/** What of the cloud's configuration matters to the driver. */
export interface CloudConf {
  readonly accountId: string;
  readonly resourceGroupName: string;
  readonly iamEndpoint: string;
  readonly vpcEndpoint: string;
  readonly resourceManagerEndpoint: string;
}

/** A cluster in a network of its own has its own endpoints; everybody else the public ones. */
export function parseCloudConf(text: string, where: string): CloudConf {
  const values = new Map(parseIni(text, where).flatMap((section) => [...section.values]));
  const required = (key: string): string => {
    const value = values.get(key);
    if (value) return value;
    throw new StowageError("CLOUD_CONFIG_INVALID", `${where} does not say ${key}`);
  };
  return {
    accountId: required("accountID"),
    resourceGroupName: required("g2ResourceGroupName"),
    iamEndpoint: values.get("iamEndpointOverride") || "https://iam.cloud.ibm.com",
    vpcEndpoint: values.get("g2EndpointOverride") || `https://${required("region")}.iaas.cloud.ibm.com`,
    resourceManagerEndpoint: values.get("rmEndpointOverride") || "https://resource-controller.cloud.ibm.com",
  };
}
