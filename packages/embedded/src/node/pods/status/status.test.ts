import type { Container, ContainerStatus, Pod } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { type ConditionInput, podConditions } from "./pod-conditions.ts";
import { podPhase } from "./pod-phase.ts";
import { isRestarted } from "./restart-rules.ts";

type State = "running" | "waiting" | "exit 0" | "exit 1" | "backoff 1";

const exited = (exitCode: number) => ({ terminated: { exitCode } });
const states: Readonly<Record<State, Partial<ContainerStatus>>> = {
  running: { state: { running: {} }, ready: true, started: true },
  waiting: { state: { waiting: { reason: "ContainerCreating" } } },
  "exit 0": { state: exited(0) },
  "exit 1": { state: exited(1) },
  "backoff 1": { state: { waiting: { reason: "CrashLoopBackOff" } }, lastState: exited(1) },
};

const status = (name: string, state: State, more: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name,
  image: "i",
  imageID: "",
  ready: false,
  restartCount: 0,
  ...states[state],
  ...more,
});

function pod(spec: Partial<NonNullable<Pod["spec"]>> = {}, rest: Partial<Pod> = {}): Pod {
  const containers: Container[] = [{ name: "a" }, { name: "b" }];
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", generation: 2 },
    spec: { containers, ...spec },
    ...rest,
  };
}

describe("a container that ended", () => {
  const rules = [{ action: "Restart", exitCodes: { operator: "In", values: [42] } }] as NonNullable<
    Container["restartPolicyRules"]
  >;
  it.each([
    ["Always", undefined, 0, true],
    ["OnFailure", undefined, 0, false],
    ["OnFailure", undefined, 1, true],
    ["Never", undefined, 1, false],
    ["Never", { restartPolicy: "Always" }, 0, true],
    ["Always", { restartPolicy: "Never" }, 1, false],
    ["Never", { restartPolicy: "Never", restartPolicyRules: rules }, 42, true],
    ["Never", { restartPolicy: "Never", restartPolicyRules: rules }, 1, false],
  ] as const)("in a Pod that says %s, with %j and code %i: again is %s", (restartPolicy, own, exitCode, again) => {
    expect(isRestarted({ name: "a", ...own }, { containers: [], restartPolicy }, exitCode)).toBe(again);
  });
});

describe("the phase of a Pod", () => {
  it.each([
    ["Always", "running", "running", "Running"],
    ["Always", "running", "waiting", "Pending"],
    ["Always", "running", "backoff 1", "Running"],
    ["Always", "exit 0", "exit 1", "Running"],
    ["OnFailure", "exit 0", "exit 1", "Running"],
    ["OnFailure", "exit 0", "exit 0", "Succeeded"],
    ["Never", "exit 0", "running", "Running"],
    ["Never", "exit 0", "exit 1", "Failed"],
    ["Never", "exit 0", "exit 0", "Succeeded"],
  ] as const)("that says %s with containers that are %s and %s is %s", (restartPolicy, a, b, phase) => {
    expect(podPhase(pod({ restartPolicy }), [status("a", a), status("b", b)], false)).toBe(phase);
  });

  it.each([
    ["exit 0", "exit 0", "Succeeded"],
    ["exit 0", "exit 1", "Failed"],
  ] as const)("that is ending is final whatever the policy says: %s and %s is %s", (a, b, phase) => {
    expect(podPhase(pod(), [status("a", a), status("b", b)], true)).toBe(phase);
  });

  const init = [{ name: "i" }];
  const main = [status("a", "waiting"), status("b", "waiting")];
  it.each([
    ["Always", "running", "Pending"],
    ["Always", "exit 1", "Pending"],
    ["Never", "exit 1", "Failed"],
    ["Never", "exit 0", "Pending"],
  ] as const)("that says %s while its init container is %s is %s", (restartPolicy, state, phase) => {
    expect(podPhase(pod({ restartPolicy, initContainers: init }), [status("i", state), ...main], false)).toBe(phase);
  });

  it("waits for its sidecars before it has started, and not afterwards", () => {
    const withSidecar = pod({ initContainers: [{ name: "s", restartPolicy: "Always" }] });
    const running = [status("a", "running"), status("b", "running")];
    expect(podPhase(withSidecar, [status("s", "running", { started: false }), ...main], false)).toBe("Pending");
    expect(podPhase(withSidecar, [status("s", "running", { started: false }), ...running], false)).toBe("Running");
    expect(podPhase(withSidecar, [status("s", "backoff 1"), ...running], false)).toBe("Running");
  });

  it("is Pending of a Pod of which nothing is known", () => {
    expect(podPhase(pod(), [], false)).toBe("Pending");
  });
});

describe("the conditions of a Pod", () => {
  const input = (more: Partial<ConditionInput>): ConditionInput => ({
    phase: "Running",
    statuses: [status("a", "running"), status("b", "running")],
    isReadyToStart: true,
    nowMs: 60_000,
    ...more,
  });
  const told = (conditions: ReturnType<typeof podConditions>) =>
    Object.fromEntries(
      conditions.map(({ type, status: is, reason, message }) => [
        type,
        [is, reason, message].filter(Boolean).join(": "),
      ]),
    );

  it("are all true of one that runs", () => {
    expect(told(podConditions(pod(), input({})))).toEqual({
      PodReadyToStartContainers: "True",
      Initialized: "True",
      Ready: "True",
      ContainersReady: "True",
      PodScheduled: "True",
    });
  });

  it("name the containers that are not so far", () => {
    const statuses = [status("a", "running"), status("b", "backoff 1")];
    expect(told(podConditions(pod(), input({ statuses })))).toMatchObject({
      Ready: "False: ContainersNotReady: containers with unready status: [b]",
      ContainersReady: "False: ContainersNotReady: containers with unready status: [b]",
    });
    const initializing = pod({ initContainers: [{ name: "i" }, { name: "j" }] });
    expect(
      told(
        podConditions(initializing, input({ phase: "Pending", statuses: [status("i", "running", { ready: false })] })),
      ),
    ).toMatchObject({
      Initialized:
        "False: ContainersNotInitialized: containers with unknown status: [j], containers with incomplete status: [i]",
    });
  });

  it.each([
    ["Succeeded", "PodCompleted"],
    ["Failed", "PodFailed"],
  ] as const)("of one that has %s say %s", (phase, reason) => {
    const statuses = [status("a", "exit 0"), status("b", "exit 0")];
    expect(told(podConditions(pod(), input({ phase, statuses })))).toMatchObject({ Ready: `False: ${reason}` });
  });

  it("wait for what others say, and leave it alone", () => {
    const gated = (conditions: { type: string; status: "True" | "False" }[]) =>
      pod({ readinessGates: [{ conditionType: "x.dev/ready" }] }, { status: { conditions } });
    expect(told(podConditions(gated([]), input({})))).toMatchObject({
      Ready:
        'False: ReadinessGatesNotReady: corresponding condition of pod readiness gate "x.dev/ready" does not exist.',
    });
    expect(told(podConditions(gated([{ type: "x.dev/ready", status: "False" }]), input({})))).toMatchObject({
      "x.dev/ready": "False",
      Ready: 'False: ReadinessGatesNotReady: the status of pod readiness gate "x.dev/ready" is not "True", but False',
    });
    expect(told(podConditions(gated([{ type: "x.dev/ready", status: "True" }]), input({})))).toMatchObject({
      Ready: "True",
    });
  });

  it("keep the time of their last change", () => {
    const first = podConditions(pod(), input({}));
    const later = pod({}, { status: { conditions: first } });
    const second = podConditions(
      later,
      input({ nowMs: 120_000, statuses: [status("a", "running"), status("b", "exit 1")] }),
    );
    const times = Object.fromEntries(second.map(({ type, lastTransitionTime }) => [type, lastTransitionTime]));
    expect(times).toMatchObject({ Initialized: "1970-01-01T00:01:00Z", Ready: "1970-01-01T00:02:00Z" });
    expect(second.every(({ observedGeneration }) => observedGeneration === 2)).toBe(true);
  });
});
