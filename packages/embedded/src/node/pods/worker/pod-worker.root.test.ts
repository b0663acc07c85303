import { type Container, configMaps, secrets } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { namespace, PodNode } from "../fixtures/pod-node.ts";

const serving = "trap 'exit 0' TERM; while :; do sleep 0.05; done";
let node: PodNode;

beforeEach(async () => {
  node = await PodNode.start();
});

afterEach(() => node.stop());

describe("a Pod on the embedded node", () => {
  it("runs to its end, with what it said and left", async () => {
    await node.create("job", "echo said; echo left > /dev/termination-log; exit 3");
    await expect.poll(() => node.phase("job")).toBe("Failed");
    expect((await node.status("job"))?.state?.terminated).toMatchObject({
      exitCode: 3,
      reason: "Error",
      message: "left\n",
    });
    expect(await node.log("job")).toBe("said\n");
    expect((await node.pod("job")).status?.conditions?.find(({ type }) => type === "Ready")).toMatchObject({
      status: "False",
      reason: "PodFailed",
    });
  });

  it("has its volumes and variables", async () => {
    await node.scene.client.create(configMaps, { metadata: { name: "settings", namespace }, data: { color: "red" } });
    await node.scene.client.create(secrets, { metadata: { name: "keys", namespace }, stringData: { key: "s3cret" } });
    const volumes = [
      { name: "settings", configMap: { name: "settings" } },
      { name: "keys", secret: { secretName: "keys", defaultMode: 0o400 } },
      { name: "self", downwardAPI: { items: [{ path: "name", fieldRef: { fieldPath: "metadata.name" } }] } },
      { name: "scratch", emptyDir: {} },
      { name: "fast", emptyDir: { medium: "Memory", sizeLimit: "1Mi" } },
    ];
    const volumeMounts = volumes.map(({ name }) => ({ name, mountPath: `/v/${name}` }));
    const script = [
      "cat /v/settings/color /v/keys/key /v/self/name",
      'echo " $COLOR $KUBERNETES_SERVICE_HOST"',
      "echo x > /v/scratch/f && echo written",
      "findmnt -no FSTYPE /v/fast; findmnt -no FSTYPE /v/keys",
      "stat -Lc %a /v/keys/key; echo no > /v/settings/x || true",
    ].join("; ");
    const env = [{ name: "COLOR", valueFrom: { configMapKeyRef: { name: "settings", key: "color" } } }];
    await node.create("reader", script, { volumes }, { volumeMounts, env });
    await expect.poll(() => node.phase("reader")).toBe("Succeeded");
    expect(await node.log("reader")).toMatch(
      /^reds3cretreader red 10\.96\.0\.1\nwritten\ntmpfs\ntmpfs\n400\n.*Read-only file system\n$/,
    );
  });

  it("starts its init containers one after the other, and then the rest", async () => {
    const volumes = [{ name: "shared", emptyDir: {} }];
    const volumeMounts = [{ name: "shared", mountPath: "/s" }];
    const init = (name: string): Container => ({
      name,
      image: "any",
      command: ["sh", "-c", `echo ${name} >> /s/order`],
      volumeMounts,
    });
    await node.create(
      "steps",
      "cat /s/order",
      { volumes, initContainers: [init("first"), init("second")] },
      { volumeMounts },
    );
    await expect.poll(() => node.phase("steps")).toBe("Succeeded");
    expect(await node.log("steps")).toBe("first\nsecond\n");
  });

  it("is Running and ready while it runs, and gone after it was deleted, within its time", async () => {
    await node.create("server", serving);
    await expect.poll(() => node.phase("server")).toBe("Running");
    expect(await node.status("server")).toMatchObject({ ready: true, started: true, restartCount: 0 });
    const { status } = await node.pod("server");
    expect(status).toMatchObject({ podIP: expect.stringMatching(/^127\./), hostIP: "127.0.0.1" });
    await node.delete("server");
    await expect.poll(() => node.isGone("server"), { timeout: 20_000 }).toBe(true);
  });

  it("starts again at once, and then waits longer and longer", async () => {
    await node.create("loop", "exit 1", { restartPolicy: "Always" });
    await expect
      .poll(async () => (await node.status("loop"))?.state?.waiting)
      .toMatchObject({
        reason: "CrashLoopBackOff",
        message: expect.stringMatching(/^back-off 10s restarting failed container=main pod=loop_shop\(/),
      });
    expect(await node.status("loop")).toMatchObject({ restartCount: 1, lastState: { terminated: { exitCode: 1 } } });
    expect(await node.phase("loop")).toBe("Running");
  });

  it.each([
    ["a program that is not there", { command: ["no-such"] }, { terminated: { reason: "StartError", exitCode: 128 } }],
    ["an image that nobody knows", { command: [] }, { waiting: { reason: "ErrImagePull" } }],
    [
      "a variable of nothing",
      { env: [{ name: "A", valueFrom: { secretKeyRef: { name: "none", key: "k" } } }] },
      { waiting: { reason: "CreateContainerConfigError", message: 'secret "none" not found' } },
    ],
  ])("says what is wrong with %s", async (_what, own, told) => {
    await node.create("wrong", "true", {}, own);
    await expect.poll(async () => (await node.status("wrong"))?.state).toMatchObject(told);
  });

  it("waits for what its volumes are made of, and says so", async () => {
    const volumes = [{ name: "late", configMap: { name: "late" } }];
    await node.create("waiter", "cat /late/a", { volumes }, { volumeMounts: [{ name: "late", mountPath: "/late" }] });
    await expect
      .poll(() => node.events.events.map(({ reason, message }) => `${reason}: ${message}`))
      .toContain('FailedMount: MountVolume.SetUp failed for volume "late" : configmap "late" not found');
    expect(await node.status("waiter")).toMatchObject({ state: { waiting: { reason: "ContainerCreating" } } });
    await node.scene.client.create(configMaps, { metadata: { name: "late", namespace }, data: { a: "here" } });
    await expect.poll(() => node.phase("waiter")).toBe("Succeeded");
    expect(await node.log("waiter")).toBe("here");
  });

  it("goes on while the agent is away, and is taken up again", async () => {
    await node.create("lasting", serving);
    await expect.poll(() => node.phase("lasting")).toBe("Running");
    const before = await node.status("lasting");
    await node.stopAgent();
    await node.create("later", "exit 0");
    await node.startAgent();
    await expect.poll(() => node.phase("later")).toBe("Succeeded");
    expect(await node.status("lasting")).toMatchObject({ containerID: before?.containerID, restartCount: 0 });
  });
});
