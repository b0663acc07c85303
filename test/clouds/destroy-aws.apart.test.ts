// needs: cli destroy
import type { ChildProcess } from "node:child_process";
import { startTemporaryAws, stderrProgress, type TemporaryAws } from "@stowage/lab";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Outcome, stowage } from "../e2e/stowage.ts";
import { type Ec2Call, ec2At, idsIn, makeMany, tagged, volumeIds } from "./destroy/ec2-calls.ts";
import { startThrottlingProxy, type ThrottlingProxy } from "./destroy/throttling-proxy.ts";

/** The figures: half of them are another cluster's. */
const EACH = 1_500;
const CLUSTER = "mine-x7f2k";
const LIMIT_MS = 900_000;

let aws: TemporaryAws;
let ec2: Ec2Call;
let proxy: ThrottlingProxy;

beforeAll(async () => {
  aws = await startTemporaryAws(stderrProgress);
  ec2 = ec2At(aws.url);
}, LIMIT_MS);

beforeEach(async () => {
  await fetch(`${aws.url}/moto-api/reset`, { method: "POST" });
  await proxy?.[Symbol.asyncDispose]();
  proxy = await startThrottlingProxy(aws.url);
});

afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await aws?.stop();
});

function destroyVolumes(words: readonly string[], onStart?: (child: ChildProcess) => void): Promise<Outcome> {
  return stowage(["destroy", "volumes", "--cluster-id", CLUSTER, "--output", "json", ...words], {
    env: {
      AWS_ENDPOINT_URL: proxy.url,
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test-secret",
    },
    limitMs: LIMIT_MS,
    ...(onStart !== undefined && { onStart }),
  });
}

interface Document {
  readonly isInterrupted: boolean;
  readonly deleted?: number;
  readonly found: readonly { readonly id: string }[];
  readonly left?: readonly { readonly id: string; readonly reason: string }[];
}

function documentOf({ stdout }: Outcome): Document {
  return JSON.parse(stdout) as Document;
}

async function makeVolume(tags: Readonly<Record<string, string>>): Promise<string> {
  const place = { AvailabilityZone: "us-east-1a", Size: "1" };
  const [id = ""] = idsIn(await ec2("CreateVolume", { ...place, ...tagged("volume", tags) }), "volumeId");
  return id;
}

const owned = (id: string) => ({ [`kubernetes.io/cluster/${id}`]: "owned" });

function deletedIds(): string[] {
  return proxy.passed
    .filter(({ action }) => action === "DeleteVolume")
    .map(({ fields }) => fields.get("VolumeId") ?? "");
}

describe("destroying a cluster's volumes in AWS", () => {
  it("deletes exactly ours of 3,000, throttled, interrupted and run again, with some in use", {
    timeout: LIMIT_MS,
  }, async () => {
    const others = new Set(await makeMany(EACH, () => makeVolume(owned("other-9d1qp"))));
    const ours = await makeMany(EACH, (index) =>
      makeVolume(index % 2 === 0 ? owned(CLUSTER) : { [`kubernetes-io-cluster-${CLUSTER}`]: "owned" }),
    );
    const [soonFree = "", staysUsed = ""] = ours;
    const [instance = ""] = idsIn(
      await ec2("RunInstances", { ImageId: "ami-1", MinCount: "1", MaxCount: "1" }),
      "instanceId",
    );
    for (const id of await volumeIds(ec2)) if (!ours.includes(id)) others.add(id);
    await ec2("AttachVolume", { VolumeId: soonFree, InstanceId: instance, Device: "/dev/sdx" });
    await ec2("AttachVolume", { VolumeId: staysUsed, InstanceId: instance, Device: "/dev/sdy" });

    const dry = await destroyVolumes([]);
    expect([dry.exitCode, dry.stderr]).toEqual([0, ""]);
    expect(
      documentOf(dry)
        .found.map(({ id }) => id)
        .toSorted(),
    ).toEqual(ours.toSorted());
    expect(deletedIds()).toEqual([]);

    const stopped = await destroyVolumes(["--yes"], (child) => {
      proxy.onRequest = () => {
        if (child.killed || deletedIds().length < EACH / 2) return;
        // Once: a second one would end it on the spot.
        child.kill("SIGINT");
      };
    });
    expect([stopped.exitCode, documentOf(stopped).isInterrupted]).toEqual([130, true]);
    await vi.waitFor(() => expect(proxy.underWay).toBe(0), { timeout: 60_000 });
    const afterStop = await volumeIds(ec2);
    const leftOfOurs = ours.filter((id) => afterStop.has(id));
    expect(leftOfOurs.length).toBeGreaterThan(EACH / 2 - 20);
    expect(leftOfOurs.length).toBeLessThan(EACH);

    // It comes free when the command has found it in use, and so has to be looked at again.
    let looks = 0;
    proxy.onAnswer = async ({ action, fields }) => {
      if (action !== "DescribeVolumes" || fields.get("VolumeId.1") !== soonFree) return;
      looks += 1;
      if (looks === 1) await ec2("DetachVolume", { VolumeId: soonFree, InstanceId: instance, Device: "/dev/sdx" });
    };
    const again = await destroyVolumes(["--yes", "--timeout", "5s"]);
    expect(again.exitCode).toBe(1);
    expect(looks).toBeGreaterThan(1);
    expect(documentOf(again)).toMatchObject({
      deleted: leftOfOurs.length - 1,
      left: [{ id: staysUsed, reason: `it is in use by ${instance}` }],
    });
    expect(await volumeIds(ec2)).toEqual(new Set([...others, staysUsed]));

    await ec2("DetachVolume", { VolumeId: staysUsed, InstanceId: instance, Device: "/dev/sdy" });
    expect((await destroyVolumes(["--yes"])).exitCode).toBe(0);
    const last = await destroyVolumes(["--yes"]);
    expect([last.exitCode, documentOf(last).found]).toEqual([0, []]);
    expect(await volumeIds(ec2)).toEqual(others);
    expect(deletedIds().filter((id) => others.has(id))).toEqual([]);
    expect(proxy.throttled).toBeGreaterThan(100);
  });

  it("leaves what is shared, what only looks like ours, and what became another's after it was listed", {
    timeout: LIMIT_MS,
  }, async () => {
    const ours = await makeVolume(owned(CLUSTER));
    const moved = await makeVolume(owned(CLUSTER));
    const kept = [
      await makeVolume({ [`kubernetes.io/cluster/${CLUSTER}`]: "shared" }),
      await makeVolume(owned(`${CLUSTER}2`)),
      await makeVolume(owned(CLUSTER.slice(0, -1))),
      await makeVolume({ Name: `kubernetes.io/cluster/${CLUSTER}=owned` }),
    ];
    proxy.onAnswer = async ({ action, fields }) => {
      if (action !== "DescribeVolumes" || fields.has("VolumeId.1")) return;
      const name = { "ResourceId.1": moved, "Tag.1.Key": `kubernetes.io/cluster/${CLUSTER}` };
      await ec2("CreateTags", { ...name, "Tag.1.Value": "shared" });
    };
    const { exitCode } = await destroyVolumes(["--yes"]);
    expect(exitCode).toBe(0);
    expect(deletedIds()).toEqual([ours]);
    expect(await volumeIds(ec2)).toEqual(new Set([moved, ...kept]));
  });

  it("deletes our snapshots before our volumes, and nobody else's", { timeout: LIMIT_MS }, async () => {
    const volume = await makeVolume(owned(CLUSTER));
    const make = async (tags: Readonly<Record<string, string>>) =>
      idsIn(await ec2("CreateSnapshot", { VolumeId: volume, ...tagged("snapshot", tags) }), "snapshotId")[0] ?? "";
    const ours = await make(owned(CLUSTER));
    const theirs = await make(owned("other-9d1qp"));
    const { exitCode } = await destroyVolumes(["--yes"]);
    expect(exitCode).toBe(0);
    const deletions = proxy.passed.map(({ action }) => action).filter((action) => action.startsWith("Delete"));
    expect(deletions).toEqual(["DeleteSnapshot", "DeleteVolume"]);
    const left = idsIn(await ec2("DescribeSnapshots", { "Owner.1": "self" }), "snapshotId");
    expect(left).toContain(theirs);
    expect(left).not.toContain(ours);
  });
});
