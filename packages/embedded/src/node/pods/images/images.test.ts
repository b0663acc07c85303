import { MemoryEventRecorder } from "@stowage/kube";
import { type Container, type Pod, StowageError } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { ImageAccess } from "./image-access.ts";
import { imageNameError } from "./image-name.ts";

describe("the name of an image", () => {
  it.each([
    "busybox",
    "busybox:1.36",
    "library/busybox",
    "registry.example:5000/team/app:v1",
    "localhost/app",
    "quay.io/a/b@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "app:v1@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "[::1]:5000/app",
  ])("may be %s", (image) => {
    expect(imageNameError(image)).toBeUndefined();
  });

  it.each([
    ["", "invalid reference format"],
    ["a b", "invalid reference format"],
    ["app:", "invalid reference format"],
    ["-app", "invalid reference format"],
    ["App", "invalid reference format: repository name (library/App) must be lowercase"],
    ["Shop/App", "invalid reference format: repository name (App) must be lowercase"],
    [
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "invalid repository name (e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855), cannot specify 64-byte hexadecimal strings",
    ],
  ])("may not be %j: %s", (image, why) => {
    expect(imageNameError(image)).toBe(`couldn't parse image name "${image}": ${why}`);
  });
});

describe("an image", () => {
  const pod: Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", namespace: "shop", uid: "u" },
    spec: { containers: [{ name: "main" }] },
  };
  const program = { command: ["run"], args: [], env: {} };
  let clock: ManualClock;
  let events: MemoryEventRecorder;
  let isKnown: boolean;
  let images: ImageAccess;

  beforeEach(() => {
    clock = new ManualClock();
    events = new MemoryEventRecorder();
    isKnown = true;
    images = new ImageAccess({
      clock,
      events,
      image: () => {
        if (isKnown) return program;
        throw new StowageError("IMAGE_UNKNOWN", "nobody knows it");
      },
    });
  });

  const find = (more: Partial<Container> = {}) => {
    events.events.splice(0);
    return images.find(pod, { name: "main", image: "app:1", ...more }, []);
  };

  it("that is known is there, or has been pulled where that is asked for", () => {
    expect(find()).toEqual({ program });
    expect(events.lines).toEqual([
      'Normal Pulled Container image "app:1" already present on machine and can be accessed by the pod',
    ]);
    expect(find({ imagePullPolicy: "Always" })).toEqual({ program });
    expect(events.lines).toEqual([
      'Normal Pulling Pulling image "app:1"',
      'Normal Pulled Successfully pulled image "app:1" in 0s (0s including waiting). Image size: 0 bytes.',
    ]);
  });

  it("that nobody knows is tried after 10, 20 … seconds, and waited for in between", async () => {
    isKnown = false;
    const failed = { reason: "ErrImagePull", message: "nobody knows it" };
    const waits = {
      reason: "ImagePullBackOff",
      message: 'Back-off pulling image "app:1": ErrImagePull: nobody knows it',
    };
    expect(find()).toMatchObject(failed);
    await clock.advance(9_999);
    expect(find()).toMatchObject(waits);
    await clock.advance(1);
    expect(find({ imagePullPolicy: "Always" })).toMatchObject(failed);
    await clock.advance(19_999);
    expect(find({ imagePullPolicy: "Always" })).toMatchObject(waits);
    isKnown = true;
    await clock.advance(1);
    expect(find()).toEqual({ program });
  });

  it("that may not be pulled is missing", () => {
    isKnown = false;
    expect(find({ imagePullPolicy: "Never" })).toMatchObject({ reason: "ErrImageNeverPull" });
    expect(events.lines).toEqual([
      'Warning ErrImageNeverPull Container image "app:1" is not present with pull policy of Never',
      "Warning Failed Error: ErrImageNeverPull",
    ]);
  });

  it("without a proper name is none", () => {
    expect(find({ image: "a b" })).toMatchObject({ reason: "InvalidImageName" });
    const why = `Failed to apply default image tag "a b": couldn't parse image name "a b": invalid reference format`;
    expect(events.lines).toEqual([`Warning InspectFailed ${why}`, "Warning Failed Error: InvalidImageName"]);
  });
});
