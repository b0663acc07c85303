import { spawn } from "node:child_process";
import { once } from "node:events";
import { ensureBinaries, stderrProgress } from "@stowage/lab";
import { createCloudHttp, elementText, escapeXml } from "../../../packages/operators/src/cloud-config/index.ts";
import {
  referenceIn,
  SoapClient,
} from "../../../packages/operators/src/csi-driver/drivers/vmware-vsphere/vcenter/soap.ts";

/** VMware's own simulator of vCenter, with its usual inventory, tags and policies, over https. */
export interface SimulatedVCenter extends AsyncDisposable {
  readonly server: string;
  readonly port: number;
}

export interface SimulatedVCenterOptions {
  /** Of vCenter's API; the rest is of vSphere 8. */
  readonly version?: string;
  readonly hostVersion?: string;
  readonly hardwareVersion?: string;
  /** Whoever names himself may come in when left out. */
  readonly login?: { readonly user: string; readonly password: string };
}

export async function startSimulatedVCenter(options: SimulatedVCenterOptions = {}): Promise<SimulatedVCenter> {
  const { vcsim } = await ensureBinaries(["vcsim"], { progress: stderrProgress });
  const { login } = options;
  const child = spawn(vcsim?.path ?? "", flagsOf(options), {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...(login && { VCSIM_USER: login.user, VCSIM_PASSWORD: login.password }) },
  });
  const ended = once(child, "close");
  const port = await new Promise<number>((resolve, reject) => {
    let said = "";
    const listen = (text: string) => {
      said += text;
      const [, found] = /https:\/\/[^:]*:(\d+)\/sdk/u.exec(said) ?? [];
      if (found !== undefined) resolve(Number(found));
    };
    child.stdout.setEncoding("utf8").on("data", listen);
    child.stderr.setEncoding("utf8").on("data", listen);
    child.once("close", () => reject(new Error(`vcsim ended: ${said}`)));
  });
  return {
    server: "127.0.0.1",
    port,
    async [Symbol.asyncDispose]() {
      // Told so, it deletes the folders that are its datastores.
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Of its first machine, as an administrator would look it up: the same in every simulator. */
export async function firstMachineUuid(
  { server, port }: SimulatedVCenter,
  { user, password }: { readonly user: string; readonly password: string },
): Promise<string> {
  const { signal } = new AbortController();
  const client = new SoapClient(createCloudHttp({ isVerified: false, env: {} }), `https://${server}:${port}/sdk`);
  const of = (type: string, id = type) => ({ type, id });
  const login = `<userName>${escapeXml(user)}</userName><password>${escapeXml(password)}</password>`;
  await client.call("Login", of("SessionManager"), login, signal);
  const path = "<inventoryPath>/DC0/vm/DC0_H0_VM0</inventoryPath>";
  const machine = referenceIn(await client.call("FindByInventoryPath", of("SearchIndex"), path, signal), "returnval");
  const properties = "<propSet><type>VirtualMachine</type><pathSet>config.uuid</pathSet></propSet>";
  const object = `<objectSet><obj type="VirtualMachine">${machine?.id}</obj></objectSet>`;
  const wanted = `<specSet>${properties}${object}</specSet>`;
  const collector = of("PropertyCollector", "propertyCollector");
  return elementText(await client.call("RetrieveProperties", collector, wanted, signal), "val") ?? "";
}

function flagsOf({ version, hostVersion, hardwareVersion }: SimulatedVCenterOptions): string[] {
  const flags = { "vcenter-version": version, "host-version": hostVersion, "hardware-version": hardwareVersion };
  return Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [] : [`-${name}=${value}`]));
}
