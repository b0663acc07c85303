import type { AWSPlatformStatus } from "@stowage/machinery";
import type { Environment } from "@stowage/operator";

/** By the name in an address and in a signature, which is also the one that an Infrastructure has for it. */
export type AwsService = "ec2" | "elasticfilesystem" | "sts";

/** As every tool of AWS has them after `AWS_ENDPOINT_URL_`. */
const variableOf: Readonly<Record<AwsService, string>> = { ec2: "EC2", elasticfilesystem: "EFS", sts: "STS" };

/** Regions that are nobody else's have names of their own; see AWS' list of partitions. */
const partitions: readonly (readonly [prefix: string, domain: string])[] = [
  ["cn-", "amazonaws.com.cn"],
  ["us-iso-", "c2s.ic.gov"],
  ["us-isob-", "sc2s.sgov.gov"],
  ["us-isof-", "csp.hci.ic.gov"],
  ["eu-isoe-", "cloud.adc-e.uk"],
  ["eusc-", "amazonaws.eu"],
];

/** What the Infrastructure says goes first, then what the environment does. */
export function awsEndpoint(
  service: AwsService,
  { region = "", serviceEndpoints = [] }: Pick<AWSPlatformStatus, "region" | "serviceEndpoints">,
  env: Environment,
): string {
  const said =
    serviceEndpoints.findLast(({ name }) => name === service)?.url ||
    env[`AWS_ENDPOINT_URL_${variableOf[service]}`] ||
    env["AWS_ENDPOINT_URL"];
  if (said) return said.replace(/\/+$/u, "");
  const [, domain] = partitions.find(([prefix]) => region.startsWith(prefix)) ?? ["", "amazonaws.com"];
  return `https://${service}.${region}.${domain}`;
}
