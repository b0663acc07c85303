import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** How long `expect.poll` waits: for real controllers on a busy machine the usual second is too short. */
const patience = { poll: { timeout: 20_000 } };
const realPatience = { poll: { timeout: 60_000 } };

/**
 * Tests whose control planes and clouds are all their own, and that look at nothing of the machine that others change: no kubelet, and of
 * devices, mounts and processes only those of their own folder. Most of their time they wait. Platforms are not among them: there they have
 * seven control planes at once, and use all of the machine.
 */
const apart = [
  "test/conformance/{bare-machine,completion-shells,guides}.test.ts",
  "test/conformance/stowage-up-{control-plane,deep,terminal,vsphere}.test.ts",
  "test/fault/stowage-up-kills.test.ts",
  "test/conformance/operators/!(local-driver-pods|platforms|rbac-proxy|rendered-assets|strict-front).test.ts",
  "test/conformance/destroy-*.test.ts",
  "test/conformance/structural-schemas.test.ts",
];

/**
 * `unit` needs Node alone; the others need the lab's real Kubernetes and real file systems, which their set-up brings: `real-apart` for
 * tests of which two run at a time, `real` for those that must have the machine to themselves, after them. Tests beside the source that
 * need root and those are named `*.root.test.ts`.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          exclude: ["**/*.root.test.ts"],
          include: [
            "packages/*/src/**/*.test.ts",
            "lab/src/**/*.test.ts",
            "bootstrap/**/*.test.ts",
            "scripts/**/*.test.ts",
            "test/e2e/**/*.test.ts",
          ],
          // Most files hold milliseconds of tests: a process for each cost more than they did. Two at least, since many wait.
          isolate: false,
          maxWorkers: Math.max(2, availableParallelism() - 1),
          testTimeout: 30_000,
          hookTimeout: 60_000,
          expect: patience,
        },
      },
      {
        test: {
          name: "real-apart",
          include: apart,
          globalSetup: ["test/compile-cache.ts", "test/file-system-tools.ts", "test/real-programs.ts"],
          maxWorkers: 2,
          // Each may have to wait while the others have the machine.
          testTimeout: 360_000,
          hookTimeout: 360_000,
          expect: realPatience,
        },
      },
      {
        test: {
          name: "real",
          include: ["test/conformance/**/*.test.ts", "test/fault/**/*.test.ts", "packages/*/src/**/*.root.test.ts"],
          exclude: apart,
          globalSetup: ["test/compile-cache.ts", "test/file-system-tools.ts", "test/real-kubernetes.ts"],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: realPatience,
          fileParallelism: false,
        },
      },
    ],
  },
});
