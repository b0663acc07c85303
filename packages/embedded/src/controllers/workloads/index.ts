import type { PartRow } from "../kit/index.ts";
import { makeDaemonSetController } from "./daemon-sets/index.ts";
import { makeDeploymentController } from "./deployments/index.ts";
import { makeDisruptionController } from "./disruption-budgets/index.ts";
import { makeJobController, makeTtlController } from "./jobs/index.ts";
import { makeReplicaSetController } from "./replica-sets/index.ts";
import { makeStatefulSetController } from "./stateful-sets/index.ts";

/** In the order in which they are started. */
export const workloadsParts: readonly PartRow[] = [
  { make: makeReplicaSetController, account: "replicaset-controller" },
  { make: makeDeploymentController, account: "deployment-controller" },
  { make: makeDaemonSetController, account: "daemon-set-controller" },
  { make: makeStatefulSetController, account: "statefulset-controller" },
  { make: makeJobController, account: "job-controller" },
  { make: makeTtlController, account: "ttl-after-finished-controller" },
  { make: makeDisruptionController, account: "disruption-controller" },
];
