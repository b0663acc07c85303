import type { Pod } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import type { Sparse } from "../printer.ts";
import { podStatus, readyText } from "./pod-status.ts";

type SparsePod = Sparse<Pod>;
type Status = NonNullable<SparsePod["status"]>;
type Container = NonNullable<Status["containerStatuses"]>[number];

const running = (name: string): Container => ({ name, ready: true, started: true, state: { running: {} } });
const waiting = (name: string, reason: string): Container => ({ name, state: { waiting: { reason } } });
const ended = (name: string, exitCode: number, reason = ""): Container => ({
  name,
  state: { terminated: { exitCode, reason } },
});

const initContainers = [{ name: "i" }, { name: "side", restartPolicy: "Always" }];
const pod = (status: Status, metadata: SparsePod["metadata"] = {}): SparsePod => ({
  metadata,
  spec: { containers: [{ name: "x" }, { name: "y" }], initContainers },
  status,
});
const conditions = [{ type: "Ready", status: "True" }];
const gone = { deletionTimestamp: "2026-01-01T00:00:00Z" };

describe("the status of a pod", () => {
  it.each<[string, SparsePod, string]>([
    ["its phase", pod({ phase: "Pending" }), "Pending"],
    ["its reason, if it has one", pod({ phase: "Failed", reason: "Evicted" }), "Evicted"],
    [
      "that of its first container",
      pod({ containerStatuses: [waiting("x", "ErrImagePull"), running("y")] }),
      "ErrImagePull",
    ],
    ["how far its init containers are", pod({ initContainerStatuses: [waiting("i", "PodInitializing")] }), "Init:0/2"],
    ["why an init container failed", pod({ initContainerStatuses: [ended("i", 1, "Error")] }), "Init:Error"],
    ["an exit code for want of a reason", pod({ initContainerStatuses: [ended("i", 7)] }), "Init:ExitCode:7"],
    [
      "running, when one is done and the other ready",
      pod({ conditions, containerStatuses: [ended("x", 0, "Completed"), running("y")] }),
      "Running",
    ],
    [
      "the error, when one is done and the other failed",
      pod({ containerStatuses: [ended("x", 0, "Completed"), ended("y", 1, "Error")] }),
      "Error",
    ],
    ["not ready, when one is done", pod({ containerStatuses: [ended("x", 0, "Completed"), running("y")] }), "NotReady"],
    ["terminating, when it is deleted", pod({ phase: "Running" }, gone), "Terminating"],
    ["what it was, when it is deleted at its end", pod({ phase: "Succeeded" }, gone), "Succeeded"],
    ["unknown, when its node is lost", pod({ phase: "Running", reason: "NodeLost" }, gone), "Unknown"],
  ])("is %s", (_what, subject, reason) => {
    expect(podStatus(subject).reason).toBe(reason);
  });

  it("counts sidecars among the containers", () => {
    const subject = pod({
      initContainerStatuses: [ended("i", 0), running("side")],
      containerStatuses: [running("x"), waiting("y", "ContainerCreating")],
    });
    expect(readyText(subject, podStatus(subject).readyContainers)).toBe("2/3");
  });

  it("has the restarts of containers and sidecars, and the last of them", () => {
    const restarted = (container: Container, restartCount: number, finishedAt: string): Container => ({
      ...container,
      restartCount,
      lastState: { terminated: { finishedAt } },
    });
    const subject = pod({
      initContainerStatuses: [
        restarted(ended("i", 0), 9, "2026-01-03T00:00:00Z"),
        restarted(running("side"), 2, "2026-01-01T00:00:00Z"),
      ],
      containerStatuses: [restarted(running("x"), 3, "2026-01-02T00:00:00Z"), running("y")],
    });
    expect(podStatus(subject)).toMatchObject({ restarts: 5, lastRestart: "2026-01-02T00:00:00Z" });
  });
});
