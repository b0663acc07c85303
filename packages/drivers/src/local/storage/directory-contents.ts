import { chmod, mkdir } from "node:fs/promises";
import type { Executor } from "@stowage/csi/host";
import type { FaultPoint } from "../fault-points.ts";
import { refusal } from "../requests/refusal.ts";
import { removeDurably } from "../state/durable-file.ts";
import { contentAilment, missingContent } from "./content-health.ts";
import type { Contents } from "./contents.ts";

const copyTimeoutMs = 6 * 3600_000;

/** Volumes as plain directories, for processes that may not attach loop devices: no quota, no raw block. */
export function createDirectoryContents(executor: Executor, faultPoint: FaultPoint): Contents {
  return {
    kind: "directory",
    async check({ access }) {
      if (access === "mount") return;
      const nextStep = "Run the driver as root, or ask for a volume with a file system.";
      throw refusal(
        "INVALID_ARGUMENT",
        "Raw block volumes need loop devices, which this process may not attach.",
        nextStep,
      );
    },
    async make(path) {
      await mkdir(path);
      // Whoever the Pod runs as; nobody else gets past the state directory. Not by mkdir, which the umask would narrow.
      await chmod(path, 0o777);
      await faultPoint("directory:made");
    },
    async capture(from, to) {
      await executor.run(["cp", "--archive", "--reflink=auto", from, to], { timeoutMs: copyTimeoutMs });
      await executor.run(["sync", "--file-system", to]);
      await faultPoint("directory:copied");
    },
    adopt: async () => "",
    resize: async () => {},
    remove: (path) => removeDurably(path, faultPoint),
    ailment: (path) => contentAilment(path, (found) => (found.isDirectory() ? undefined : missingContent(path))),
  };
}
