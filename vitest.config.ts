import { defineConfig } from "vitest/config";

/** `unit` needs Node alone; `real` needs the lab's real Kubernetes, which its set-up builds and starts. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "packages/*/src/**/*.test.ts",
            "lab/src/**/*.test.ts",
            "bootstrap/**/*.test.ts",
            "test/e2e/**/*.test.ts",
          ],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "real",
          include: ["test/conformance/**/*.test.ts", "test/fault/**/*.test.ts"],
          globalSetup: ["test/real-kubernetes.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
