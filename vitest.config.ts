import { defineConfig } from "vitest/config";

/**
 * `unit` needs Node alone; `real` needs the lab's real Kubernetes and real file systems, which its set-up brings. Tests beside the
 * source that need root and those are named `*.root.test.ts`.
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
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "real",
          include: ["test/conformance/**/*.test.ts", "test/fault/**/*.test.ts", "packages/*/src/**/*.root.test.ts"],
          globalSetup: ["test/file-system-tools.ts", "test/real-kubernetes.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
