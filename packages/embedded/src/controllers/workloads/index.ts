import type { MakePart } from "../kit/index.ts";
import { makeDaemonSetController } from "./daemon-sets/index.ts";
import { makeDeploymentController } from "./deployments/index.ts";
import { makeDisruptionController } from "./disruption-budgets/index.ts";
import { makeJobController, makeTtlController } from "./jobs/index.ts";
import { makeReplicaSetController } from "./replica-sets/index.ts";
import { makeStatefulSetController } from "./stateful-sets/index.ts";

/** In the order in which they are started. */
export const workloadsParts: readonly MakePart[] = [
  makeReplicaSetController,
  makeDeploymentController,
  makeDaemonSetController,
  makeStatefulSetController,
  makeJobController,
  makeTtlController,
  makeDisruptionController,
];
