import type { ContainerStatus, Pod, PodStatus } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { terminatedStatus } from "./terminated-status.ts";

const pod = (inits: readonly string[] = []): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web" },
  spec: { containers: [{ name: "main" }], initContainers: inits.map((name) => ({ name })) },
});
const status = (name: string, state: ContainerStatus["state"]): ContainerStatus => ({
  name,
  image: "",
  imageID: "",
  ready: false,
  restartCount: 0,
  ...(state !== undefined && { state }),
});
const waits = { waiting: { reason: "ContainerCreating" } };
const ended = { terminated: { exitCode: 0 } };
const unknown = { terminated: { exitCode: 137, reason: "ContainerStatusUnknown" } };

describe("the last that is told of a Pod", () => {
  it("that has ended is how it ended", () => {
    const told: PodStatus = { phase: "Succeeded", containerStatuses: [status("main", ended)] };
    expect(terminatedStatus(pod(), told)).toEqual(told);
  });

  it("that never ran is that it failed, and that nobody knows of its containers", () => {
    const told: PodStatus = { phase: "Pending", containerStatuses: [status("main", waits)] };
    expect(terminatedStatus(pod(), told)).toMatchObject({ phase: "Failed", containerStatuses: [{ state: unknown }] });
  });

  it("that was not initialized is how far it had come", () => {
    const told: PodStatus = {
      phase: "Pending",
      initContainerStatuses: [status("a", ended), status("b", { running: {} }), status("c", waits)],
      containerStatuses: [status("main", waits)],
    };
    expect(terminatedStatus(pod(["a", "b", "c"]), told)).toMatchObject({
      phase: "Failed",
      initContainerStatuses: [{ state: ended }, { state: unknown }, { state: waits }],
      containerStatuses: [{ state: waits }],
    });
  });
});
