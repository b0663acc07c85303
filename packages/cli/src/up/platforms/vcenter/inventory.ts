/** What the simulated vCenter has. Every machine that somebody asks for is there: its nodes' ids are made up as well. */
export const vcenterInventory = {
  version: "8.0.3.0",
  hardwareVersion: "vmx-21",
  host: "host-1",
  datacenter: "stowage",
  datastore: "simulated",
  datastoreId: "datastore-1",
  datastoreUrl: "ds:///vmfs/volumes/simulated/",
} as const;
