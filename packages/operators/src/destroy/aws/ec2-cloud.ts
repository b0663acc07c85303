import type * as Sdk from "@aws-sdk/client-ec2";
import { StowageError } from "@stowage/machinery";
import { usualMarks } from "../ownership-mark.ts";
import type { CloudVolume, PageRequest, VolumeCloud, VolumeName, VolumePage } from "../volume-cloud.ts";
import { isGone, knownFailure } from "./ec2-failure.ts";
import { snapshotOf, volumeOf } from "./ec2-volumes.ts";

export interface Ec2Options {
  /** Undefined: as the environment or the profile says. */
  readonly region: string | undefined;
}

/** As many as EC2 gives at once. */
const PAGE_SIZE = 500;

/** Volumes and snapshots of EBS. Credentials are found as every tool of AWS finds them. */
export async function createEc2Cloud({ region }: Ec2Options): Promise<VolumeCloud> {
  // Only here: it takes a second and 95 MB to load.
  const sdk = await import("@aws-sdk/client-ec2");
  // Who calls tries again, for all requests together.
  const client = new sdk.EC2Client({ maxAttempts: 1, ...(region !== undefined && { region }) });
  await requireRegion(client);
  return new Ec2Cloud(sdk, client);
}

async function requireRegion(client: Sdk.EC2Client): Promise<void> {
  try {
    await client.config.region();
  } catch (error) {
    throw new StowageError("CLOUD_CONFIG_INVALID", "AWS cannot be asked: there is no region", {
      cause: error,
      nextStep: "Give --region, or set AWS_REGION.",
    });
  }
}

class Ec2Cloud implements VolumeCloud {
  readonly title = "AWS";
  readonly kinds = ["snapshot", "volume"] as const;
  readonly marksOf = usualMarks;
  readonly #sdk: typeof Sdk;
  readonly #client: Sdk.EC2Client;

  constructor(sdk: typeof Sdk, client: Sdk.EC2Client) {
    this.#sdk = sdk;
    this.#client = client;
  }

  async page({ kind, clusterId, after: NextToken }: PageRequest, signal: AbortSignal): Promise<VolumePage> {
    // Filters are met together, so keys are all that one can ask for; who calls looks at the values.
    const Filters = [{ Name: "tag-key", Values: this.marksOf(clusterId).map(({ key }) => key) }];
    const input = { Filters, MaxResults: PAGE_SIZE, NextToken };
    const what = `for the ${kind}s of ${clusterId}`;
    if (kind === "snapshot") {
      const command = new this.#sdk.DescribeSnapshotsCommand({ ...input, OwnerIds: ["self"] });
      const { Snapshots = [], NextToken: next } = await this.#sent(what, () =>
        this.#client.send(command, abort(signal)),
      );
      return { volumes: Snapshots.flatMap(snapshotOf), next: next || undefined };
    }
    const command = new this.#sdk.DescribeVolumesCommand(input);
    const { Volumes = [], NextToken: next } = await this.#sent(what, () => this.#client.send(command, abort(signal)));
    return { volumes: Volumes.flatMap(volumeOf), next: next || undefined };
  }

  async read({ kind, id }: VolumeName, signal: AbortSignal): Promise<CloudVolume | undefined> {
    return this.#unlessGone(`for the ${kind} ${id}`, async () => {
      if (kind === "snapshot") {
        const command = new this.#sdk.DescribeSnapshotsCommand({ SnapshotIds: [id] });
        const { Snapshots = [] } = await this.#client.send(command, abort(signal));
        return Snapshots.flatMap(snapshotOf).find((each) => each.id === id);
      }
      const command = new this.#sdk.DescribeVolumesCommand({ VolumeIds: [id] });
      const { Volumes = [] } = await this.#client.send(command, abort(signal));
      return Volumes.flatMap(volumeOf).find((each) => each.id === id);
    });
  }

  async delete({ kind, id }: VolumeName, signal: AbortSignal): Promise<void> {
    await this.#unlessGone(`to delete the ${kind} ${id}`, async () => {
      if (kind === "snapshot") {
        await this.#client.send(new this.#sdk.DeleteSnapshotCommand({ SnapshotId: id }), abort(signal));
      } else {
        await this.#client.send(new this.#sdk.DeleteVolumeCommand({ VolumeId: id }), abort(signal));
      }
    });
  }

  async #unlessGone<Answer>(what: string, send: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await send();
    } catch (error) {
      if (isGone(error)) return undefined;
      throw knownFailure(error, what);
    }
  }

  async #sent<Answer>(what: string, send: () => Promise<Answer>): Promise<Answer> {
    try {
      return await send();
    } catch (error) {
      throw knownFailure(error, what);
    }
  }
}

function abort(abortSignal: AbortSignal) {
  return { abortSignal };
}
