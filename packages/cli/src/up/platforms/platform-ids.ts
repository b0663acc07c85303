/** Which `stowage up` can be on; the command line has them without loading anything else. */
export const platformIds = ["local", "aws", "azure", "gcp", "ibm", "openstack", "powervs"] as const;

/** What operators are there for, and why `stowage up` cannot be on it. */
export const platformsLeftOut = {
  vsphere: "vSphere is not simulated: before its operator installs anything, it checks a vCenter and what runs there.",
} as const;

export type PlatformId = (typeof platformIds)[number];
