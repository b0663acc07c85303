import {
  cloudConfig,
  described,
  driver,
  installed,
  numberOf,
  openstackRegion,
  SIMULATED,
  smbStandIn,
} from "./platform-parts.ts";
import type { UpPlatform } from "./up-platform.ts";

export const openstack: UpPlatform = {
  id: "openstack",
  driver: driver("cinder.csi.openstack.org", "openstack-cinder-csi-driver"),
  infrastructure: described({ type: "OpenStack" }, { cloudConfig }),
  simulation: {
    standIns: {
      "openstack-cinder-csi-driver": {
        driverName: "cinder.csi.openstack.org",
        abilities: ["attach", "expand", "snapshots", "clones"],
      },
      "csi-driver-manila": { driverName: "manila.csi.openstack.org", abilities: ["expand", "snapshots"] },
      // Manila's has its shares mounted by it, and waits for its socket.
      "csi-driver-nfs": { driverName: "nfs.csi.k8s.io", isCompanion: true },
      ...smbStandIn,
    },
    region: openstackRegion,
    zone: "nova",
    providerId: (nodeName) => `openstack:///00000000-0000-4000-8000-${numberOf(nodeName, 12)}`,
    credentialsKind: "OpenStackProviderSpec",
    // A file of YAML may as well be JSON.
    credentials: (cloudUrl) => {
      const auth = { auth_url: cloudUrl, username: SIMULATED, password: SIMULATED, project_name: "stowage" };
      return { "clouds.yaml": JSON.stringify({ clouds: { openstack: { region_name: openstackRegion, auth } } }) };
    },
    configMaps: () => [
      installed(cloudConfig.name, ""),
      // There is one zone, and nobody to ask for it.
      installed("cinder-csi-config", "", { enable_topology: "false" }),
    ],
  },
};
