import { persistentVolumeClaims, persistentVolumes, pods } from "@stowage/machinery";
import { growClaim } from "../../embedded-scenarios/admission.ts";
import type { Scenario, Scene } from "../scenario.ts";
import { ask, claim, makeClass, offer, untilBound, untilPhase, untilTold, volumeName } from "../storage-objects.ts";
import { podTemplate } from "../workload-objects.ts";

const compares = [persistentVolumes, persistentVolumeClaims];

const createUser = (scene: Scene) => {
  const { spec = {} } = claim(scene, "");
  const metadata = { labels: { of: "user" }, annotations: { note: "kept" } };
  const volumes = [{ name: "scratch", ephemeral: { volumeClaimTemplate: { metadata, spec } } }];
  return scene.create(pods, { ...podTemplate("user", { volumes }), metadata: { name: "user" } });
};

export const ephemeral: Scenario[] = [
  {
    name: "the claim of a generic ephemeral volume is made for its Pod",
    compares,
    async run(scene) {
      await offer(scene, "there");
      await createUser(scene);
      await untilBound(scene, "user-scratch");
    },
  },
  {
    name: "a Pod is told that its claim belongs to somebody else",
    compares,
    events: ["Pod"],
    eventCounts: false,
    async run(scene) {
      await ask(scene, "user-scratch");
      await scene.until(persistentVolumeClaims, "user-scratch", ({ status }) => status?.phase === "Pending");
      await createUser(scene);
      await untilTold(scene, "FailedBinding");
    },
  },
  {
    name: "the claim of a generic ephemeral volume is made anew when somebody deletes it",
    compares,
    async run(scene) {
      await offer(scene, "there");
      await createUser(scene);
      await untilBound(scene, "user-scratch");
      const { metadata } = await scene.get(persistentVolumeClaims, "user-scratch");
      await scene.remove(persistentVolumeClaims, "user-scratch");
      await scene.until(persistentVolumeClaims, "user-scratch", (made) => made.metadata.uid !== metadata.uid);
      await untilPhase(scene, volumeName(scene, "there"), "Released");
    },
  },
];

export const expansion: Scenario[] = [
  {
    name: "a claim that asks for more is told that its driver expands it",
    compares,
    events: ["PersistentVolumeClaim"],
    eventCounts: false,
    async run(scene) {
      await makeClass(scene, { allowVolumeExpansion: true });
      await offer(scene, "there");
      await ask(scene, "data");
      await untilBound(scene, "data");
      await growClaim(scene, "data", "5Gi");
      await untilTold(scene, "ExternalExpanding");
    },
  },
];
