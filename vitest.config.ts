import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { orderVariable, ShortestFirst } from "./scripts/tests/shortest-first.ts";
import { includeOf } from "./scripts/tests/test-file.ts";

/** How long `expect.poll` waits: for real controllers on a busy machine the usual second is too short. */
const patience = { poll: { timeout: 20_000 } };
const realPatience = { poll: { timeout: 60_000 } };

/** Two at least, since many tests wait. */
const workers = Math.max(2, availableParallelism() - 1);

/**
 * A project for each place where a test runs, which its name says: see `scripts/tests/test-file.ts`. `unit` and `isolated` need Node alone;
 * the others need the lab's real Kubernetes or real file systems, which their set-up brings. They run one after the other, since those of
 * `real` and `root` must have the machine to themselves.
 */
export default defineConfig({
  test: {
    ...(process.env[orderVariable] === "shortest-first" ? { sequence: { sequencer: ShortestFirst } } : {}),
    projects: [
      {
        test: {
          name: "unit",
          include: [includeOf("unit")],
          setupFiles: ["test/time-limits.ts", "test/leftovers.ts"],
          // Most files hold milliseconds of tests: a process for each cost more than they did.

          isolate: false,
          maxWorkers: workers,
          testTimeout: 30_000,
          hookTimeout: 60_000,
          expect: patience,
        },
      },
      {
        test: {
          name: "isolated",
          include: [includeOf("isolated")],
          setupFiles: ["test/time-limits.ts"],
          maxWorkers: workers,
          testTimeout: 30_000,
          hookTimeout: 60_000,
          expect: patience,
        },
      },
      {
        test: {
          name: "apart",
          include: [includeOf("apart")],
          setupFiles: ["test/time-limits.ts"],
          globalSetup: ["test/compile-cache.ts", "test/file-system-tools.ts", "test/real-programs.ts"],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          // Each may have to wait while the others have the machine.
          testTimeout: 360_000,
          hookTimeout: 360_000,
          expect: realPatience,
        },
      },
      {
        test: {
          name: "real",
          include: [includeOf("real")],
          setupFiles: ["test/time-limits.ts"],
          globalSetup: ["test/compile-cache.ts", "test/file-system-tools.ts", "test/real-kubernetes.ts"],
          sequence: { groupOrder: 2 },
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: realPatience,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "root",
          include: [includeOf("root")],
          setupFiles: ["test/time-limits.ts"],
          globalSetup: ["test/compile-cache.ts", "test/file-system-tools.ts"],
          sequence: { groupOrder: 3 },
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: realPatience,
          fileParallelism: false,
        },
      },
    ],
  },
});
