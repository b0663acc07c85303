import { configMaps, type Infrastructure, infrastructures, nodes, secrets } from "@stowage/machinery";
import type { OperatorCluster } from "../../operators/driver-operator/operator-cluster.ts";
import { namespace } from "../../operators/driver-operator/platform.ts";

/** As the installer names them. */
const configMapRef = { namespace: "openshift-config", name: "cloud-provider-config" };
const credentialsRef = { namespace, name: "vmware-vsphere-cloud-credentials" };

export const clusterId = "test-x7k2p";

const domain = (name: string, server: string, datastore: string) => ({
  name,
  region: "here",
  zone: name,
  server,
  topology: {
    datacenter: "DC0",
    computeCluster: "/DC0/host/DC0_C0",
    networks: ["VM Network"],
    datastore: `/DC0/datastore/${datastore}`,
  },
});

/** With a failure domain in each of two vCenters, of which the second comes later. */
export async function becomeVSphere({ client, apply }: OperatorCluster): Promise<void> {
  const config = (kind: string, spec: object) => ({
    apiVersion: "config.openshift.io/v1",
    kind,
    metadata: { name: "cluster" },
    spec,
  });
  const vsphere = {
    vcenters: [{ server: "127.0.0.1", datacenters: ["DC0"] }],
    failureDomains: [domain("one", "127.0.0.1", "LocalDS_0"), domain("two", "localhost", "LocalDS_1")],
  };
  await apply(
    config("Infrastructure", {
      cloudConfig: { name: configMapRef.name, key: "config" },
      platformSpec: { type: "VSphere", vsphere },
    }),
    config("Proxy", {}),
    config("APIServer", {}),
  );
  const status: Infrastructure["status"] = {
    infrastructureName: clusterId,
    controlPlaneTopology: "HighlyAvailable",
    infrastructureTopology: "HighlyAvailable",
    platformStatus: { type: "VSphere" },
  };
  const patch = { status };
  await client.patch(infrastructures, { name: "cluster" }, { type: "merge", patch }, { subresource: "status" });
  await client.create(configMaps, { metadata: configMapRef, data: { config: "" } });
}

/** By server, its port: the cloud's configuration says where they are. */
export async function setVCenters({ client }: OperatorCluster, ports: Readonly<Record<string, number>>): Promise<void> {
  const sections = Object.entries(ports).map(
    ([server, port]) => `[VirtualCenter "${server}"]\nport = "${port}"\ndatacenters = "DC0"\n`,
  );
  const config = ['[Global]\ninsecure-flag = "1"\n', ...sections].join("\n");
  await client.patch(configMaps, configMapRef, { type: "merge", patch: { data: { config } } });
}

export async function setLogin(
  { client }: OperatorCluster,
  { user, password }: { readonly user: string; readonly password: string },
): Promise<void> {
  const servers = ["127.0.0.1", "localhost"];
  const stringData = Object.fromEntries(
    servers.flatMap((server) => [
      [`${server}.username`, user],
      [`${server}.password`, password],
    ]),
  );
  if ((await client.find(secrets, credentialsRef)) === undefined) {
    await client.create(secrets, { metadata: credentialsRef, stringData });
  } else {
    await client.patch(secrets, credentialsRef, { type: "merge", patch: { stringData } });
  }
}

export async function createNode({ client }: OperatorCluster, name: string, providerID: string): Promise<void> {
  const labels = { "kubernetes.io/os": "linux" };
  await client.create(nodes, { metadata: { name, labels }, spec: { providerID } });
}
