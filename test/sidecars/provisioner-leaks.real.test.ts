import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Informer, KubeClient } from "@stowage/kube";
import {
  configMaps,
  events,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  storageClasses,
} from "@stowage/machinery";
import type { SidecarDeps } from "@stowage/sidecars";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { provisionerRules } from "../../packages/sidecars/src/provisioner/index.ts";
import {
  boundVolume,
  deleteClaim,
  eventually,
  expectNothingLeaked,
  expectNoVolumes,
  makeClaim,
  makeClass,
  provisioner,
  readClaim,
  volumesOf,
} from "./provisioner-objects.ts";
import type { ProcessSettings } from "./provisioner-process.ts";
import { type SidecarBench, startSidecarBench } from "./sidecar-bench.ts";

type MockFault = Parameters<SidecarBench["driver"]["addFault"]>[0];

let bench: SidecarBench;

beforeAll(async () => {
  bench = await startSidecarBench({
    rules: [provisionerRules],
    sidecars: provisioner({ timeoutMs: 500, journalIdleMs: 100 }),
  });
  await makeClass(bench);
});
afterEach(async () => {
  bench.driver.clearFaults();
  // After a test that failed, so that it fails alone.
  await bench.client.deleteCollection(persistentVolumeClaims, { namespace: bench.namespace });
  await expectNoVolumes(bench);
});
afterAll(() => bench[Symbol.asyncDispose]());

const journal = () => ({
  namespace: bench.namespace,
  name: `${bench.driverName.replaceAll(".", "-")}-provisioning-intents`,
});

/** What a killed process has noted of a volume that came and went is made and deleted once more: not while this test counts. */
async function expectNothingNoted(): Promise<void> {
  await eventually(async () => expect(await journalKeys()).toEqual([]));
}

async function journalKeys(): Promise<string[]> {
  const found = await bench.client.find(configMaps, journal());
  return Object.keys(found?.data ?? {});
}

const faults: readonly (readonly [string, Omit<MockFault, "method" | "times">])[] = [
  ["answers late", { kind: "late", delayMs: 3_000 }],
  ["loses its answer", { kind: "lostReply" }],
  ["hangs", { kind: "hang" }],
  ["is slow", { kind: "slow", delayMs: 3_000 }],
  ...(
    ["ABORTED", "UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED", "INTERNAL", "RESOURCE_EXHAUSTED", "NOT_FOUND"] as const
  ).map((code) => [`fails with ${code}`, { kind: "fail", code }] as const),
] as readonly (readonly [string, Omit<MockFault, "method" | "times">])[];

describe("a driver that", () => {
  it.each(faults)("%s twice makes one volume in the end", async (_what, fault) => {
    bench.driver.addFault({ ...fault, method: "CreateVolume", times: 2 } as MockFault);
    await makeClaim(bench, "patient");
    await boundVolume(bench, "patient");
    await expectNothingLeaked(bench);
    await deleteClaim(bench, "patient");
    await expectNoVolumes(bench);
  });

  it.each(faults)("%s when its claim is deleted meanwhile leaves nothing behind", async (_what, fault) => {
    bench.driver.clearCalls();
    const { id } = bench.driver.addFault({ ...fault, method: "CreateVolume" } as MockFault);
    const claim = await makeClaim(bench, "impatient");
    await eventually(async () => expect(bench.driver.calls("CreateVolume").length).toBeGreaterThan(0));
    await deleteClaim(bench, "impatient");
    await eventually(async () => {
      const ref = { namespace: bench.namespace, name: "impatient" };
      expect(await bench.client.find(persistentVolumeClaims, ref)).toBeUndefined();
    });
    bench.driver.removeFault(id);
    await eventually(async () => expect(await journalKeys()).not.toContain(claim.metadata.uid));
    await expectNoVolumes(bench);
  });

  it.each(faults)("%s when it is to delete is asked until it has", async (_what, fault) => {
    await makeClaim(bench, "deleted");
    await boundVolume(bench, "deleted");
    bench.driver.addFault({ ...fault, method: "DeleteVolume", times: 2 } as MockFault);
    await deleteClaim(bench, "deleted");
    await expectNoVolumes(bench);
  });

  it("made the volume, refuses to say so once, and whose claim is gone, is asked again", async () => {
    bench.driver.clearCalls();
    bench.driver.addFault({ method: "CreateVolume", kind: "lostReply", times: 1 });
    const refusal = bench.driver.addFault({ method: "CreateVolume", kind: "fail", code: "INTERNAL" });
    await makeClaim(bench, "refused");
    await eventually(async () => expect(bench.driver.calls("CreateVolume").length).toBeGreaterThan(1));
    await deleteClaim(bench, "refused");
    expect(bench.driver.state().volumes).toHaveLength(1);
    bench.driver.removeFault(refusal.id);
    await expectNoVolumes(bench);
  });
});

describe("when the process is killed between CreateVolume and the PV (external-provisioner#486)", () => {
  it("and the claim is deleted before the next one starts, the volume goes", async () => {
    await bench.stopSidecars();
    bench.driver.clearCalls();
    // The volume is made at once; the process never hears of it.
    bench.driver.addFault({ method: "CreateVolume", kind: "late", delayMs: 60_000, times: 1 });
    const child = startProcess({ timeoutMs: 60_000 });
    const claim = await makeClaim(bench, "orphan");
    await eventually(async () => expect(bench.driver.state().volumes).toHaveLength(1));
    child.kill("SIGKILL");
    await child.ended;
    expect(await journalKeys()).toContain(claim.metadata.uid);
    expect(await volumesOf(bench)).toEqual([]);
    await deleteClaim(bench, "orphan");
    await eventually(async () => {
      const ref = { namespace: bench.namespace, name: "orphan" };
      expect(await bench.client.find(persistentVolumeClaims, ref)).toBeUndefined();
    });
    expect(bench.driver.state().volumes).toHaveLength(1);
    await bench.startSidecars();
    await expectNoVolumes(bench);
    await eventually(async () => expect(await journalKeys()).not.toContain(claim.metadata.uid));
  });

  it("and the claim is still there, it gets that volume and no other", async () => {
    await bench.stopSidecars();
    bench.driver.addFault({ method: "CreateVolume", kind: "late", delayMs: 60_000, times: 1 });
    const child = startProcess({ timeoutMs: 60_000 });
    await makeClaim(bench, "heir");
    await eventually(async () => expect(bench.driver.state().volumes).toHaveLength(1));
    const [made] = bench.driver.state().volumes;
    child.kill("SIGKILL");
    await child.ended;
    await bench.startSidecars();
    const volume = await boundVolume(bench, "heir");
    expect(volume.spec?.csi?.volumeHandle).toBe(made?.id);
    expect(bench.driver.state().volumes).toHaveLength(1);
    await deleteClaim(bench, "heir");
    await expectNoVolumes(bench);
  });

  it("and its class retains, the volume is kept with a PV to find it by", async () => {
    const className = `${bench.namespace}-retain`;
    await makeClass(bench, { metadata: { name: className }, reclaimPolicy: "Retain" });
    await bench.stopSidecars();
    bench.driver.addFault({ method: "CreateVolume", kind: "late", delayMs: 60_000, times: 1 });
    const child = startProcess({ timeoutMs: 60_000 });
    await makeClaim(bench, "retained", { className });
    await eventually(async () => expect(bench.driver.state().volumes).toHaveLength(1));
    child.kill("SIGKILL");
    await child.ended;
    await deleteClaim(bench, "retained");
    await bench.startSidecars();
    await expectNothingLeaked(bench);
    await eventually(async () => expect(await volumesOf(bench)).toMatchObject([{ status: { phase: "Released" } }]));
    const [volume] = await volumesOf(bench);
    const patch = { spec: { persistentVolumeReclaimPolicy: "Delete" } };
    await bench.client.patch(persistentVolumes, { name: volume?.metadata.name ?? "" }, { type: "merge", patch });
    await expectNoVolumes(bench);
  });

  it("leaks without the journal, as the original does: so the test above can fail", async () => {
    await bench.stopSidecars();
    bench.driver.addFault({ method: "CreateVolume", kind: "late", delayMs: 60_000, times: 1 });
    const child = startProcess({ timeoutMs: 60_000, durableIntent: false });
    await makeClaim(bench, "leaked");
    await eventually(async () => expect(bench.driver.state().volumes).toHaveLength(1));
    child.kill("SIGKILL");
    await child.ended;
    await deleteClaim(bench, "leaked");
    await bench.startSidecars();
    // Another claim comes and goes: by then everything that is known of has been looked at.
    await makeClaim(bench, "marker");
    await boundVolume(bench, "marker");
    await deleteClaim(bench, "marker");
    await eventually(async () => expect(await volumesOf(bench)).toEqual([]));
    const [leaked] = bench.driver.state().volumes;
    expect(bench.driver.state().volumes).toHaveLength(1);
    bench.driver.loseVolume(leaked?.id ?? "");
  });
});

describe("when the process ends in order in the middle of CreateVolume", () => {
  it("nobody waits for the driver, and the next process finishes", async () => {
    await expectNothingNoted();
    await bench.stopSidecars();
    await bench.startSidecars(provisioner({ timeoutMs: 60_000 }));
    bench.driver.clearCalls();
    bench.driver.addFault({ method: "CreateVolume", kind: "late", delayMs: 60_000, times: 1 });
    const claim = await makeClaim(bench, "interrupted");
    await eventually(async () => expect(bench.driver.state().volumes).toHaveLength(1));
    const startedMs = performance.now();
    await bench.stopSidecars();
    expect(performance.now() - startedMs).toBeLessThan(30_000);
    expect(await journalKeys()).toContain(claim.metadata.uid);
    expect(await bench.eventLines(claim)).not.toContainEqual(expect.stringContaining("ProvisioningFailed"));
    await bench.startSidecars();
    await boundVolume(bench, "interrupted");
    await expectNothingLeaked(bench);
    await deleteClaim(bench, "interrupted");
    await expectNoVolumes(bench);
  });
});

describe("when the local copy of a claim is behind (external-provisioner#1469)", () => {
  it("no volume is made for a claim whose volume has just been deleted", async () => {
    await expectNothingNoted();
    await bench.stopSidecars();
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const stale = { claim: undefined as PersistentVolumeClaim | undefined, hidesVolumes: false };
    await bench.startSidecars((deps, place) => {
      const client = holdingFinalizers(deps.client, () => {
        reached.resolve();
        return gate.promise;
      });
      return provisioner()({ ...deps, client, informers: staleInformers(deps.informers, stale) }, place);
    });
    bench.driver.clearCalls();
    const unbound = await makeClaim(bench, "stale");
    await boundVolume(bench, "stale");
    const annotated = await readClaim(bench, "stale");
    stale.claim = {
      ...unbound,
      metadata: { ...annotated.metadata, resourceVersion: unbound.metadata.resourceVersion },
    };
    await deleteClaim(bench, "stale");
    // The volume is deleted, and so is its PV but for the finalizer.
    await reached.promise;
    expect(bench.driver.state().volumes).toEqual([]);
    stale.hidesVolumes = true;
    // The class appears anew, upon which claims that wait for it are looked at: as the local copy has it, this one does.
    await bench.client.delete(storageClasses, { name: bench.namespace });
    await makeClass(bench);
    await eventually(async () => expect(stale.claim).toMatchObject({ wasRead: true }));
    gate.resolve();
    await expectNoVolumes(bench);
    await makeClaim(bench, "after");
    await boundVolume(bench, "after");
    expect(bench.driver.calls("CreateVolume").map(({ request }) => (request as { name: string }).name)).toEqual([
      `pvc-${unbound.metadata.uid}`,
      expect.stringMatching(/^pvc-/),
    ]);
    stale.hidesVolumes = false;
    stale.claim = undefined;
    await deleteClaim(bench, "after");
    await expectNoVolumes(bench);
  });
});

describe("the journal", () => {
  it("keeps an entry that nobody can read, and says what to do about it", async () => {
    await makeClaim(bench, "before");
    await boundVolume(bench, "before");
    await bench.stopSidecars();
    const patch = { data: { "11111111-2222-3333-4444-555555555555": "{" } };
    await bench.client.patch(configMaps, journal(), { type: "merge", patch });
    await bench.startSidecars();
    await deleteClaim(bench, "before");
    await expectNoVolumes(bench);
    await eventually(async () => {
      const { namespace, name } = journal();
      const { items } = await bench.client.list(events, { namespace, fieldSelector: `involvedObject.name=${name}` });
      expect(items).toContainEqual(
        expect.objectContaining({
          type: "Warning",
          reason: "ProvisioningIntentUnresolved",
          message: expect.stringMatching(/11111111-.* cannot be read.* Look for a volume of that claim in the storage/),
        }),
      );
    });
    expect(await journalKeys()).toContain("11111111-2222-3333-4444-555555555555");
  });

  it("that may not be written is said so on the claim, with the right that is missing", async () => {
    const rules = { ...provisionerRules, namespaced: [] };
    await using without = await startSidecarBench({ rules: [rules], sidecars: provisioner() });
    await makeClass(without);
    const claim = await makeClaim(without, "stuck");
    await eventually(async () =>
      expect(await without.eventLines(claim)).toContainEqual(
        expect.stringContaining(
          `Allow the verbs get, create and patch on configmaps in the namespace ${without.namespace}`,
        ),
      ),
    );
    expect(without.driver.calls("CreateVolume")).toEqual([]);
  });
});

describe("a PV that cannot be saved", () => {
  it("because the server is away is saved when it is back", async () => {
    await bench.stopSidecars();
    let failures = 3;
    await bench.startSidecars((deps, place) =>
      provisioner()({ ...deps, client: failingVolumes(deps.client, () => failures-- > 0) }, place),
    );
    await makeClaim(bench, "unsaved");
    await boundVolume(bench, "unsaved");
    expect(failures).toBeLessThan(0);
    await deleteClaim(bench, "unsaved");
    await expectNoVolumes(bench);
  });

  it("because it is invalid has its volume deleted, and the claim says why", async () => {
    const className = `${bench.namespace}-invalid`;
    await makeClass(bench, { metadata: { name: className } });
    await bench.stopSidecars();
    let isBroken = true;
    await bench.startSidecars((deps, place) =>
      provisioner()({ ...deps, client: brokenVolumes(deps.client, () => isBroken) }, place),
    );
    const claim = await makeClaim(bench, "invalid", { className });
    await eventually(async () =>
      expect(await bench.eventLines(claim)).toContainEqual(
        expect.stringMatching(/^Warning ProvisioningFailed .*Invalid/),
      ),
    );
    await eventually(async () => expect(bench.driver.calls("DeleteVolume").length).toBeGreaterThan(0));
    isBroken = false;
    await boundVolume(bench, "invalid");
    await expectNothingLeaked(bench);
    await deleteClaim(bench, "invalid");
    await expectNoVolumes(bench);
  });
});

function startProcess(options: ProcessSettings["options"]) {
  const settings: ProcessSettings = {
    kubeconfig: inject("kubeconfig"),
    endpoint: bench.deps.csi.endpoint,
    namespace: bench.namespace,
    options,
  };
  const path = fileURLToPath(new URL("./provisioner-process.ts", import.meta.url));
  const child = spawn(process.execPath, [path, JSON.stringify(settings)], { stdio: ["ignore", "inherit", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return { kill: (signal: NodeJS.Signals) => child.kill(signal), ended };
}

/** Waits before the finalizer of a PV is taken away. */
function holdingFinalizers(client: KubeClient, hold: () => Promise<void>): KubeClient {
  const patch: KubeClient["patch"] = async (type, ref, change, options) => {
    if ((type as { plural: string }).plural === persistentVolumes.plural) await hold();
    return await client.patch(type, ref, change, options);
  };
  return { ...client, patch };
}

function failingVolumes(client: KubeClient, isFailing: () => boolean): KubeClient {
  const create: KubeClient["create"] = async (type, object, options) => {
    if ((type as { plural: string }).plural === persistentVolumes.plural && isFailing())
      throw new Error("the server is away");
    return await client.create(type, object, options);
  };
  return { ...client, create };
}

/** Sends PVs that the real API server refuses. */
function brokenVolumes(client: KubeClient, isBroken: () => boolean): KubeClient {
  const create: KubeClient["create"] = async (type, object, options) => {
    const isVolume = (type as { plural: string }).plural === persistentVolumes.plural;
    return await client.create(type, isVolume && isBroken() ? { ...object, spec: {} } : object, options);
  };
  return { ...client, create };
}

/** Informers whose copy of one claim, when told to, is from before it was bound, and whose copy of PVs is from before it had one. */
function staleInformers(
  informers: SidecarDeps["informers"],
  stale: { claim: PersistentVolumeClaim | undefined; hidesVolumes: boolean },
): SidecarDeps["informers"] {
  const informer: SidecarDeps["informers"]["informer"] = (type, selection) => {
    const real = informers.informer(type, selection);
    if (type.plural === persistentVolumeClaims.plural)
      return staleClaims(real as unknown as Informer<PersistentVolumeClaim>, stale) as unknown as typeof real;
    if (type.plural === persistentVolumes.plural)
      return staleVolumes(real as unknown as Informer<PersistentVolume>, stale) as unknown as typeof real;
    return real;
  };
  return { ...informers, informer };
}

function staleClaims(
  real: Informer<PersistentVolumeClaim>,
  stale: { claim: PersistentVolumeClaim | undefined },
): Informer<PersistentVolumeClaim> {
  const old = () => (stale.claim === undefined ? [] : [stale.claim]);
  const objects = overriding(real.objects, {
    byIndex: (index, value) => {
      const [claim] = old().filter(({ metadata }) => metadata.uid === value);
      if (claim === undefined) return real.objects.byIndex(index, value);
      Object.assign(claim, { wasRead: true });
      return [claim];
    },
    list: () => [...real.objects.list(), ...old()],
  });
  return overriding(real, { objects });
}

function staleVolumes(
  real: Informer<PersistentVolume>,
  stale: { readonly hidesVolumes: boolean },
): Informer<PersistentVolume> {
  const objects = overriding(real.objects, {
    get: (ref) => (stale.hidesVolumes ? undefined : real.objects.get(ref)),
  });
  return overriding(real, { objects });
}

function overriding<T extends object>(target: T, overrides: Partial<T>): T {
  return new Proxy(target, {
    get(object, key) {
      if (key in overrides) return overrides[key as keyof T];
      const value = Reflect.get(object, key) as unknown;
      return typeof value === "function" ? value.bind(object) : value;
    },
  });
}
