import { readFile } from "node:fs/promises";
import { type Clock, StowageError } from "@stowage/machinery";
import { connectToCinder, createEc2Cloud, notYet, type VolumeCloud } from "@stowage/operators/destroy";
import type { CommandContext } from "../command.ts";
import type { CloudHints, CloudName } from "./cloud-choice.ts";

export interface OpenCloudOptions extends CloudHints {
  readonly clusterId: string;
  readonly caFile?: string;
  readonly contents: "auto" | "image" | "directory";
}

/** Closes what the cloud holds open. */
export interface OpenedCloud extends AsyncDisposable {
  readonly cloud: VolumeCloud;
}

export async function openCloud(
  name: CloudName,
  options: OpenCloudOptions,
  context: CommandContext & { readonly clock: Clock },
): Promise<OpenedCloud> {
  if (name === "aws") return withoutEnd(await createEc2Cloud({ region: options.region }));
  if (name === "openstack") return withoutEnd(await openCinder(options, context));
  if (name !== "local") throw notYet(name, options.clusterId);
  // Only here, since the drivers bring gRPC along.
  const { openLocalCloud } = await import("./local-cloud.ts");
  const { stateDir = "", contents } = options;
  const cloud = await openLocalCloud({ stateDir, contents, logger: context.logger });
  return { cloud, [Symbol.asyncDispose]: () => cloud[Symbol.asyncDispose]() };
}

async function openCinder(
  { cloudsFile = "clouds.yaml", caFile }: OpenCloudOptions,
  { env, clock }: CommandContext & { readonly clock: Clock },
): Promise<VolumeCloud> {
  const cloudsText = await textOf(cloudsFile);
  const trust = caFile === undefined ? {} : { authority: await textOf(caFile) };
  return connectToCinder({ cloudsText, where: cloudsFile, ...trust, env, clock });
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const nextStep = "Give --clouds-file, and --ca-file where the cloud has an authority of its own.";
    throw new StowageError("CREDENTIAL_FILE_UNREADABLE", `cannot read ${path}`, { cause: error, nextStep });
  }
}

function withoutEnd(cloud: VolumeCloud): OpenedCloud {
  return { cloud, async [Symbol.asyncDispose]() {} };
}
