import type { KindTable } from "../../kind-rules.ts";
import { autoscalerRules } from "./autoscaler-rules.ts";
import { controllerRevisionRules } from "./controller-revision-rules.ts";
import { cronJobRules } from "./cron-job-rules.ts";
import { daemonSetRules } from "./daemon-set-rules.ts";
import { deploymentRules } from "./deployment-rules.ts";
import { disruptionBudgetRules } from "./disruption-budget-rules.ts";
import { jobRules } from "./job-rules.ts";
import { replicaSetRules } from "./replica-set-rules.ts";
import { replicationControllerRules } from "./replication-controller-rules.ts";
import { statefulSetRules } from "./stateful-set-rules.ts";

/** What keeps Pods running. */
export const workloadKinds: KindTable = {
  "/ReplicationController": replicationControllerRules,
  "apps/ControllerRevision": controllerRevisionRules,
  "apps/DaemonSet": daemonSetRules,
  "apps/Deployment": deploymentRules,
  "apps/ReplicaSet": replicaSetRules,
  "apps/StatefulSet": statefulSetRules,
  "autoscaling/HorizontalPodAutoscaler": autoscalerRules,
  "batch/CronJob": cronJobRules,
  "batch/Job": jobRules,
  "policy/PodDisruptionBudget": disruptionBudgetRules,
};
