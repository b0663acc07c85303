/** Those after `local` can be named, and are not there yet. */
export const cloudNames = ["aws", "openstack", "local", "azure", "gcp", "ibmcloud", "powervs", "vsphere"] as const;

export type CloudName = (typeof cloudNames)[number];

export interface CloudHints {
  readonly cloud?: CloudName;
  readonly region?: string;
  readonly cloudsFile?: string;
  readonly stateDir?: string;
}

/** What tools of AWS look at. */
const AWS_VARIABLES = ["AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_ROLE_ARN"];

/** Every cloud that something speaks for. Only one that is alone is taken: a wrong one would be searched in vain. */
export function hintedClouds(hints: CloudHints, env: Readonly<Record<string, string | undefined>>): CloudName[] {
  if (hints.cloud !== undefined) return [hints.cloud];
  const told = hintedBy(hints);
  if (told.length > 0) return told;
  return AWS_VARIABLES.some((name) => env[name] !== undefined) ? ["aws"] : [];
}

function hintedBy({ region, cloudsFile, stateDir }: CloudHints): CloudName[] {
  return [
    ...(region === undefined ? [] : (["aws"] as const)),
    ...(cloudsFile === undefined ? [] : (["openstack"] as const)),
    ...(stateDir === undefined ? [] : (["local"] as const)),
  ];
}
