import { describe, expect, it } from "vitest";
import { type ContainerFacts, containerStatus, type StartedContainer } from "./container-status.ts";

const started = (attempt: number, exit?: StartedContainer["exit"]): StartedContainer => ({
  id: `c${attempt}`,
  attempt,
  startedMs: 1_000,
  ...(exit !== undefined && { exit }),
});
const nothing: ContainerFacts = {
  latest: undefined,
  former: undefined,
  waiting: undefined,
  isReady: false,
  hasComeUp: false,
};
const status = (facts: Partial<ContainerFacts>) =>
  containerStatus({ name: "main", image: "busybox" }, { ...nothing, ...facts }, "ContainerCreating");
const exit = (exitCode: number, more: object = {}) => ({ exitCode, finishedMs: 2_000, ...more });

describe("the status of a container", () => {
  it("that never ran says what it waits for", () => {
    expect(status({})).toMatchObject({
      name: "main",
      image: "busybox",
      ready: false,
      started: false,
      restartCount: 0,
      state: { waiting: { reason: "ContainerCreating" } },
      lastState: {},
    });
    const waiting = { reason: "CreateContainerConfigError", message: 'secret "x" not found' };
    expect(status({ waiting }).state).toEqual({ waiting });
  });

  it("that runs says since when, whether it is ready, and how it ended before", () => {
    expect(status({ latest: started(2), former: started(1, exit(3)), isReady: true, hasComeUp: true })).toMatchObject({
      containerID: "stowage://c2",
      ready: true,
      started: true,
      restartCount: 2,
      state: { running: { startedAt: "1970-01-01T00:00:01Z" } },
      lastState: { terminated: { exitCode: 3, reason: "Error", containerID: "stowage://c1" } },
    });
  });

  it.each([
    [exit(0), { reason: "Completed", startedAt: "1970-01-01T00:00:01Z" }],
    [exit(1, { message: "last words" }), { reason: "Error", message: "last words" }],
    [
      exit(128, { startError: "no such file" }),
      {
        reason: "StartError",
        message: expect.stringMatching(/^failed to create containerd task: .*: no such file: unknown$/),
        startedAt: "1970-01-01T00:00:00Z",
      },
    ],
  ])("that ended with %j says so", (how, told) => {
    const { state, ready } = status({ latest: started(0, how), isReady: true });
    expect(state?.terminated).toMatchObject({ exitCode: how.exitCode, finishedAt: "1970-01-01T00:00:02Z", ...told });
    expect(ready).toBe(false);
  });

  it("that waits to start again says why, and how it ended", () => {
    const waiting = { reason: "CrashLoopBackOff", message: "back-off 10s" };
    expect(status({ latest: started(1, exit(1)), former: started(0, exit(9)), waiting })).toMatchObject({
      restartCount: 1,
      state: { waiting },
      lastState: { terminated: { exitCode: 1 } },
    });
  });
});
