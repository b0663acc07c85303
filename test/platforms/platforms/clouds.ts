import { startIbmCloud } from "../../clouds/cloud-drivers/ibm-cloud.ts";
import { firstMachineUuid, startSimulatedVCenter } from "../../clouds/vsphere/simulated-vcenter.ts";
import { startShareCloud } from "./share-cloud.ts";

/** Clouds that operators ask before they do anything. */
export interface Clouds extends AsyncDisposable {
  readonly ibmEndpoint: string;
  readonly ibmApiKey: string;
  /** The `clouds.yaml` of a cloud that has Manila. */
  readonly shareCloudsText: string;
  readonly vcenter: {
    readonly server: string;
    readonly port: number;
    readonly user: string;
    readonly password: string;
    readonly machineUuid: string;
  };
}

export async function startClouds(): Promise<Clouds> {
  const login = { user: "user", password: "any" };
  const [ibm, shares, vcenter] = await Promise.all([
    startIbmCloud("key-1"),
    startShareCloud(["default"]),
    startSimulatedVCenter({ login }),
  ]);
  const { server, port } = vcenter;
  return {
    ibmEndpoint: ibm.endpoint,
    ibmApiKey: ibm.apiKey,
    shareCloudsText: shares.cloudsText,
    vcenter: { server, port, ...login, machineUuid: await firstMachineUuid(vcenter, login) },
    async [Symbol.asyncDispose]() {
      await Promise.all([ibm, shares, vcenter].map((each) => each[Symbol.asyncDispose]()));
    },
  };
}
