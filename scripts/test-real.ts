// `npm run test:real`: conformance and faults, against the lab's real Kubernetes.
import { runTests } from "./vitest-run.ts";

process.exitCode = await runTests("real", process.argv.slice(2));
