/** Which `stowage up` can be on; the command line has them without loading anything else. */
export const platformIds = ["local", "aws", "azure", "gcp", "ibm", "openstack", "powervs", "vsphere"] as const;

export type PlatformId = (typeof platformIds)[number];
