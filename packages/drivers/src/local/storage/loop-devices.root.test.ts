import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type Executor, systemExecutor } from "../commands/executor.ts";
import { DriverUnderTest, isRoot } from "../fixtures/driver-under-test.ts";
import { createVolume, failureOf, publish, unpublish } from "../fixtures/volume-user.ts";

let subject: DriverUnderTest;
afterEach(() => subject[Symbol.asyncDispose]());

/** Runs losetup where /dev has no node for another loop device, as in a container whose /dev was filled once for all. */
function withoutFreeLoopDevices(makeNodes: string): Executor {
  const program = `mount -t tmpfs tmpfs /dev && ${makeNodes} && exec losetup "$@"`;
  return {
    run(argv, options) {
      const isAttaching = argv[0] === "losetup" && argv[1] === "--find";
      const inside = ["unshare", "--mount", "sh", "-c", program, ...argv] as const;
      return systemExecutor.run(isAttaching ? inside : argv, options);
    },
  };
}

describe.runIf(isRoot)("a node without a free loop device (needs root)", () => {
  it.each([
    ["the limit is reached", "mknod /dev/loop-control c 10 237"],
    ["the kernel offers none", "true"],
  ])("says so and what to do when %s, and the volume keeps what it has", async (_why, makeNodes) => {
    subject = await DriverUnderTest.started({ contents: "image" });
    const volumeId = await createVolume(subject, "v");
    writeFileSync(join(await publish(subject, volumeId), "note"), "kept", { flush: true });
    await unpublish(subject, volumeId);
    await subject.stop();
    await subject.start({ contents: "image", executor: withoutFreeLoopDevices(makeNodes) });
    const refused = await failureOf(publish(subject, volumeId));
    expect(refused.code).toBe("RESOURCE_EXHAUSTED");
    expect(refused.message).toContain(volumeId);
    expect(refused.message).toContain("max_loop");
    await subject.stop();
    await subject.start({ contents: "image" });
    expect(readFileSync(join(await publish(subject, volumeId), "note"), "utf8")).toBe("kept");
  });
});
