import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pods } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { namespace, PodNode } from "../fixtures/pod-node.ts";

const serving = "trap 'exit 0' TERM; while :; do sleep 0.05; done";
let node: PodNode;

beforeEach(async () => {
  node = await PodNode.start();
});

afterEach(() => node.stop());

const lines = () => node.events.lines;
const waiting = async (name: string) => (await node.status(name))?.state?.waiting;

describe("what is told of a container", () => {
  it("that starts and is stopped is what kubelet tells", async () => {
    await node.create("web", serving, {}, { image: "shop/web:1" });
    await expect.poll(() => node.phase("web")).toBe("Running");
    await node.delete("web");
    await expect.poll(() => node.isGone("web")).toBe(true);
    expect(lines()).toEqual([
      'Normal Pulled Container image "shop/web:1" already present on machine and can be accessed by the pod',
      "Normal Created Container created",
      "Normal Started Container started",
      "Normal Killing Stopping container main",
    ]);
    expect(node.events.events[0]?.subject).toMatchObject({
      kind: "Pod",
      name: "web",
      fieldPath: "spec.containers{main}",
    });
  });

  it("that keeps ending is that it waits, once for each wait", async () => {
    await node.create("loop", "exit 1", { restartPolicy: "Always" });
    await expect.poll(() => waiting("loop")).toMatchObject({ reason: "CrashLoopBackOff" });
    const { uid } = (await node.pod("loop")).metadata;
    const told = lines().filter((line) => line.includes("BackOff"));
    expect(told).toEqual([`Warning BackOff Back-off restarting failed container main in pod loop_shop(${uid})`]);
  });

  it("whose image nobody knows is why, and that it waits", async () => {
    await node.create("wrong", "", {}, { command: [], image: "shop/none:1" });
    const why = 'image "shop/none:1" is not known here';
    await expect.poll(() => waiting("wrong")).toEqual({ reason: "ErrImagePull", message: why });
    await expect
      .poll(() => waiting("wrong"))
      .toEqual({
        reason: "ImagePullBackOff",
        message: `Back-off pulling image "shop/none:1": ErrImagePull: ${why}`,
      });
    expect(lines()).toEqual([
      'Normal Pulling Pulling image "shop/none:1"',
      `Warning Failed Failed to pull image "shop/none:1": ${why}`,
      "Warning Failed Error: ErrImagePull",
      'Normal BackOff Back-off pulling image "shop/none:1"',
      "Warning Failed Error: ImagePullBackOff",
    ]);
  });

  it.each([
    [{ image: "shop/none:1", imagePullPolicy: "Never" as const, command: [] }, "ErrImageNeverPull"],
    [{ image: "Shop/UP" }, "InvalidImageName"],
  ])("with %j is %s", async (own, reason) => {
    await node.create("wrong", serving, {}, own);
    await expect.poll(() => waiting("wrong")).toMatchObject({ reason });
    expect(lines()).toContain(`Warning Failed Error: ${reason}`);
  });

  it("whose program is not there is that it cannot run, and then that it waits", async () => {
    await node.create("wrong", "", { restartPolicy: "Always" }, { command: ["no-such"] });
    await expect
      .poll(() => node.status("wrong"))
      .toMatchObject({
        state: { waiting: { reason: "CrashLoopBackOff" } },
        lastState: { terminated: { reason: "StartError", exitCode: 128 } },
      });
    expect(lines()).toContainEqual(
      expect.stringMatching(/^Warning Failed Error: failed to create containerd task: .*"no-such".*: unknown$/),
    );
    expect(await node.phase("wrong")).toBe("Running");
  });

  it("that failed without last words is the end of its log, where that is asked for", async () => {
    const terminationMessagePolicy = "FallbackToLogsOnError" as const;
    await node.create("job", "seq 1 200; exit 1", {}, { terminationMessagePolicy });
    await expect.poll(() => node.phase("job")).toBe("Failed");
    const message = (await node.status("job"))?.state?.terminated?.message ?? "";
    expect(message.split("\n").slice(0, 2)).toEqual(["121", "122"]);
    expect(message.endsWith("200\n")).toBe(true);
  });
});

describe("a Pod", () => {
  it("that is active for longer than it may be has failed", async () => {
    await node.create("late", serving, { activeDeadlineSeconds: 5 });
    await expect.poll(() => node.phase("late")).toBe("Failed");
    const { status } = await node.pod("late");
    expect(status).toMatchObject({
      reason: "DeadlineExceeded",
      message: "Pod was active on the node longer than the specified deadline",
    });
    await expect.poll(async () => (await node.status("late"))?.state?.terminated).toMatchObject({ exitCode: 0 });
    expect(lines().filter((line) => line.includes("DeadlineExceeded"))).toHaveLength(1);
  });

  it("that is deleted while it waits for a volume goes at once", async () => {
    const volumes = [{ name: "late", configMap: { name: "late" } }];
    await node.create("waiter", serving, { volumes }, { volumeMounts: [{ name: "late", mountPath: "/late" }] });
    await expect.poll(() => lines().some((line) => line.includes("FailedMount"))).toBe(true);
    await node.delete("waiter");
    await expect.poll(() => node.isGone("waiter"), { timeout: 20_000 }).toBe(true);
  });

  it("that somebody keeps after its end is left as it ended", async () => {
    await node.create("kept", "trap 'exit 9' TERM; echo listening; while :; do sleep 0.05; done");
    await expect.poll(() => node.phase("kept")).toBe("Running");
    await expect.poll(() => node.log("kept")).toBe("listening\n");
    const finalizers = (value: readonly string[]) => ({
      type: "merge" as const,
      patch: { metadata: { finalizers: value } },
    });
    await node.scene.client.patch(pods, { namespace, name: "kept" }, finalizers(["shop.dev/kept"]));
    await node.delete("kept");
    await expect.poll(async () => (await node.pod("kept")).metadata.deletionGracePeriodSeconds).toBe(0);
    expect(await node.phase("kept")).toBe("Failed");
    expect(await node.status("kept")).toMatchObject({ state: { terminated: { exitCode: 9, reason: "Error" } } });
    expect([node.runtime.list(), node.podFolders()]).toEqual([[], []]);
    await node.scene.client.patch(pods, { namespace, name: "kept" }, finalizers([]));
    await expect.poll(() => node.isGone("kept")).toBe(true);
  });

  it("that there is no room for is sent away", async () => {
    await node.create("big", serving, {}, { resources: { requests: { cpu: "3" } } });
    await expect.poll(() => node.phase("big")).toBe("Failed");
    const message = "Node didn't have enough resource: cpu, requested: 3000, used: 0, capacity: 2000";
    expect((await node.pod("big")).status).toMatchObject({
      reason: "OutOfcpu",
      message: `Pod was rejected: ${message}`,
    });
    expect(lines()).toEqual([`Warning OutOfcpu ${message}`]);
  });

  it("whose container is to be another is started anew", async () => {
    await node.create("web", serving, {}, { image: "shop/web:1" });
    await expect.poll(() => node.phase("web")).toBe("Running");
    const patch = [{ op: "replace" as const, path: "/spec/containers/0/image", value: "shop/web:2" }];
    await node.scene.client.patch(pods, { namespace, name: "web" }, { type: "json", patch });
    await expect.poll(() => node.status("web")).toMatchObject({ restartCount: 1, state: { running: {} } });
    expect(lines()).toContain("Normal Killing Container main definition changed, will be restarted");
  });

  it("can be looked into by a container that comes later", async () => {
    await node.create("web", serving);
    await expect.poll(() => node.phase("web")).toBe("Running");
    const pod = await node.pod("web");
    const looking = { name: "look", image: "any", command: ["sh", "-c", "echo looking; exit 4"] };
    const spec = { ...pod.spec, containers: pod.spec?.containers ?? [], ephemeralContainers: [looking] };
    await node.scene.client.update(pods, { ...pod, spec }, { subresource: "ephemeralcontainers" });
    await expect
      .poll(async () => (await node.pod("web")).status?.ephemeralContainerStatuses)
      .toMatchObject([{ name: "look", ready: false, state: { terminated: { exitCode: 4 } }, restartCount: 0 }]);
    expect(await node.log("web", "look")).toBe("looking\n");
    expect(await node.phase("web")).toBe("Running");
  });

  it("that went while the agent was away leaves nothing", async () => {
    await node.create("web", "trap '' TERM; while :; do sleep 0.05; done");
    await expect.poll(() => node.phase("web")).toBe("Running");
    await node.stopAgent();
    await node.scene.client.delete(pods, { namespace, name: "web" }, { gracePeriodSeconds: 0 });
    await expect.poll(() => node.isGone("web")).toBe(true);
    await node.startAgent();
    await expect.poll(() => [node.runtime.list(), node.podFolders()]).toEqual([[], []]);
  });

  it("whose folders vanish goes on, and ends as others do", async () => {
    await node.create("web", `echo before; ${serving}`);
    await expect.poll(() => node.phase("web")).toBe("Running");
    for (const { id } of node.runtime.list()) rmSync(join(node.folder, "containers", id), { recursive: true });
    rmSync(join(node.folder, "pods"), { recursive: true });
    await node.create("next", "exit 0");
    await expect.poll(() => node.phase("next")).toBe("Succeeded");
    expect(await node.phase("web")).toBe("Running");
    await node.delete("web");
    await expect.poll(() => node.isGone("web")).toBe(true);
  });

  it("on a file system that can only be read says so, and starts when it can be written", async () => {
    const remount = (how: string) =>
      execFileSync("mount", ["-o", `remount,bind,${how}`, join(node.folder, "containers")]);
    remount("ro");
    await node.create("web", "exit 0");
    const readOnly = {
      reason: "CreateContainerError",
      message: expect.stringMatching(/^mkdir .*: read-only file system$/),
    };
    await expect.poll(() => waiting("web")).toMatchObject(readOnly);
    remount("rw");
    await expect.poll(() => node.phase("web")).toBe("Succeeded");
    expect(lines()).toContainEqual(expect.stringMatching(/^Warning Failed Error: mkdir .*: read-only file system$/));
  });

  it("whose folder cannot be made says so, and starts when it can", async () => {
    rmSync(join(node.folder, "pods"), { recursive: true, force: true });
    writeFileSync(join(node.folder, "pods"), "in the way");
    await node.create("web", "exit 0");
    await expect
      .poll(lines)
      .toContainEqual(
        expect.stringMatching(/^Warning Failed error making pod data directories: mkdir .*not a directory$/),
      );
    rmSync(join(node.folder, "pods"));
    // It would be tried again by itself, later.
    const touched = { type: "merge" as const, patch: { metadata: { labels: { touched: "yes" } } } };
    await node.scene.client.patch(pods, { namespace, name: "web" }, touched);
    await expect.poll(() => node.phase("web")).toBe("Succeeded");
  });
});
