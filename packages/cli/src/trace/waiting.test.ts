import { expect, it } from "vitest";
import { sampleStep } from "./fixtures/sample-step.ts";
import { withWaiting } from "./waiting.ts";

it("says for whom it was waited when nothing happened for more than a second", () => {
  const steps = [
    sampleStep({ atMs: 0, actor: "kubectl-create" }),
    sampleStep({ atMs: 1000, durationMs: 4000, actor: "driver" }),
    sampleStep({ atMs: 6000, actor: "attacher" }),
    sampleStep({ atMs: 8500, actor: "kubelet node-1" }),
  ];
  const waits = withWaiting(steps).filter(({ kind }) => kind === "waiting");
  expect(waits).toMatchObject([
    { atMs: 6000, durationMs: 2500, actor: "kubelet node-1", says: "waited for kubelet node-1" },
  ]);
});

it("counts from the end of the longest step, not from the last that began", () => {
  const steps = [
    sampleStep({ atMs: 0, durationMs: 9000 }),
    sampleStep({ atMs: 100 }),
    sampleStep({ atMs: 9500, actor: "attacher" }),
  ];
  expect(withWaiting(steps)).toEqual(steps);
});

it("waits for whoever calls the driver, not for the driver", () => {
  const steps = [sampleStep({}), sampleStep({ atMs: 5000, actor: "driver", caller: "attacher" })];
  expect(withWaiting(steps)[1]).toMatchObject({ kind: "waiting", actor: "attacher", says: "waited for attacher" });
});

it("blames nobody for the time until somebody wants something", () => {
  const wishes = [
    sampleStep({ atMs: 5000, kind: "created", object: "Pod shop/web" }),
    sampleStep({ atMs: 9000, kind: "deleted", object: "PersistentVolumeClaim shop/data" }),
  ];
  const waits = withWaiting([sampleStep({}), ...wishes]).filter(({ kind }) => kind === "waiting");
  expect(waits.map(({ says }) => says)).toEqual(["nothing to do until then", "nothing to do until then"]);
});
