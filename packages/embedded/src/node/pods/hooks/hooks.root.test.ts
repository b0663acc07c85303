import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Container } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Container as RunningContainer } from "../../runtime/index.ts";
import { PodNode } from "../fixtures/pod-node.ts";

const serving = "trap 'exit 0' TERM; while :; do sleep 0.05; done";
const command = (script: string) => ({ exec: { command: ["sh", "-c", script] } });
/** Nothing here takes as long, on however busy a machine. */
const unhurried = { terminationGracePeriodSeconds: 120 };
let node: PodNode;
let server: Server | undefined;

beforeEach(async () => {
  node = await PodNode.start();
});

afterEach(async () => {
  server?.close();
  server = undefined;
  await node.stop();
});

const lines = () =>
  node.events.events.map(({ subject, reason, message }) => {
    const where = "fieldPath" in subject ? subject.fieldPath : "";
    return `${reason} ${where} ${message}`;
  });

/** Everything that a container says until it ends. */
async function followed(container: RunningContainer | undefined): Promise<string> {
  const wish = { follow: true, timestamps: false, sinceMs: undefined, tailLines: undefined, limitBytes: undefined };
  let text = "";
  for await (const bytes of container?.log(wish, AbortSignal.timeout(60_000)) ?? [])
    text += Buffer.from(bytes).toString();
  return text;
}

describe("what is done after the start of a container", () => {
  it("is done before it counts as running", async () => {
    const postStart = command("until [ -e /tmp/go ]; do sleep 0.05; done; echo hooked > /proc/1/fd/1");
    await node.create("web", serving, {}, { lifecycle: { postStart } });
    await expect.poll(() => node.runtime.list().length).toBe(1);
    await expect.poll(lines).toContain("Started spec.containers{main} Container started");
    expect(await node.status("web")).toMatchObject({ state: { waiting: { reason: "ContainerCreating" } } });
    const quiet = { writeStdout: async () => {}, writeStderr: async () => {} };
    await node.runtime.list()[0]?.run(["touch", "/tmp/go"], quiet, AbortSignal.timeout(60_000));
    await expect.poll(() => node.phase("web")).toBe("Running");
    expect(await node.log("web")).toBe("hooked\n");
  });

  it("ends the container when it fails, and says so without what it said", async () => {
    const postStart = command("echo secret >&2; exit 7");
    const spec = { restartPolicy: "Always" as const, terminationGracePeriodSeconds: 1 };
    await node.create("web", serving, spec, { lifecycle: { postStart } });
    await expect
      .poll(() => node.status("web"))
      .toMatchObject({
        state: { waiting: { reason: expect.stringMatching(/^(PostStartHookError|CrashLoopBackOff)$/) } },
      });
    await expect
      .poll(lines)
      .toEqual(
        expect.arrayContaining([
          "FailedPostStartHook spec.containers{main} PostStartHook failed",
          "Killing spec.containers{main} FailedPostStartHook",
        ]),
      );
    expect(lines().join("\n")).not.toContain("secret");
  });

  it("may be a request", async () => {
    const asked: string[] = [];
    server = createServer((request, response) => {
      asked.push(`${request.url} ${request.headers["user-agent"]}`);
      response.statusCode = 500;
      response.end();
    }).listen(0);
    const { port } = server.address() as AddressInfo;
    await node.create("web", serving, {}, { lifecycle: { postStart: { httpGet: { path: "/begin", port } } } });
    await expect.poll(() => node.phase("web")).toBe("Running");
    expect(asked).toEqual(["/begin kube-lifecycle/1.36"]);
  });
});

describe("what is done before the end of a container", () => {
  it("is done before it is asked to end", async () => {
    // Appended: the log has something in it already.
    const preStop = command("echo hooked >> /proc/1/fd/1");
    const script = "trap 'echo asked; exit 3' TERM; echo listening; while :; do sleep 0.05; done";
    await node.create("web", script, unhurried, { lifecycle: { preStop } });
    await expect.poll(() => node.phase("web")).toBe("Running");
    await expect.poll(() => node.log("web")).toBe("listening\n");
    const said = followed(node.runtime.list()[0]);
    await node.delete("web");
    expect(await said).toBe("listening\nhooked\nasked\n");
    await expect.poll(() => node.isGone("web")).toBe(true);
    expect(lines()).toContain("Killing spec.containers{main} Stopping container main");
  });

  it("that fails does not keep it, and is told", async () => {
    const script = `trap 'exit 0' TERM; echo listening; while :; do sleep 0.05; done`;
    await node.create("web", script, unhurried, { lifecycle: { preStop: command("exit 1") } });
    await expect.poll(() => node.log("web")).toBe("listening\n");
    await expect.poll(() => node.phase("web")).toBe("Running");
    await node.delete("web");
    await expect.poll(() => node.isGone("web")).toBe(true);
    expect(lines()).toContain("FailedPreStopHook spec.containers{main} PreStopHook failed");
  });

  it("takes no longer than the Pod has: whoever does not end is ended", async () => {
    const deaf = "trap '' TERM; while :; do sleep 0.05; done";
    await node.create("web", deaf, {}, { lifecycle: { preStop: { sleep: { seconds: 1 } } } });
    await expect.poll(() => node.phase("web")).toBe("Running");
    const [container] = node.runtime.list();
    const startedMs = Date.now();
    await node.delete("web", 3);
    await expect.poll(() => node.isGone("web")).toBe(true);
    expect(await container?.exited).toMatchObject({ exitCode: 137 });
    expect(Date.now() - startedMs).toBeGreaterThan(2_900);
  });
});

it("ends sidecars after the others, the last one first", async () => {
  const order = [{ name: "order", emptyDir: {} }];
  const volumeMounts = [{ name: "order", mountPath: "/order" }];
  const telling = (name: string): string[] => [
    "sh",
    "-c",
    `trap 'echo ${name} >> /order/ends; cat /order/ends; exit 0' TERM; echo listening; while :; do sleep 0.05; done`,
  ];
  const sidecar = (name: string): Container => ({
    name,
    image: "any",
    restartPolicy: "Always",
    command: telling(name),
    volumeMounts,
  });
  const initContainers = [sidecar("first"), sidecar("second")];
  const spec = { ...unhurried, initContainers, volumes: order };
  await node.create("web", "", spec, { command: telling("main"), volumeMounts });
  for (const name of ["first", "second", "main"]) {
    await expect.poll(() => node.log("web", name)).toBe("listening\n");
  }
  const first = node.runtime.list().find(({ labels }) => labels.containerName === "first");
  const said = followed(first);
  await node.delete("web");
  expect(await said).toBe("listening\nmain\nsecond\nfirst\n");
  await expect.poll(() => node.isGone("web")).toBe(true);
});
