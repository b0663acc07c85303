import type { Clock } from "@stowage/machinery";
import { type Authorizer, attributesOf, type EscalationGuard } from "../access/index.ts";
import type { ResourceRegistry } from "../resources/index.ts";
import type { Store } from "../store/index.ts";
import type { Strategies } from "../strategies/index.ts";
import type { AdmittedWrite, WriteDeps } from "../verbs/index.ts";
import type { Admission, AdmissionPlugin } from "./admission-plugin.ts";
import { ClusterObjects } from "./cluster-objects.ts";
import { escalationPlugin } from "./plugins/escalation-plugin.ts";
import { defaultIngressClass } from "./plugins/ingress-class-plugin.ts";
import { limitRanger } from "./plugins/limit-ranger.ts";
import { nodeRestriction } from "./plugins/node-restriction.ts";
import { priority } from "./plugins/priority-plugin.ts";
import { requester } from "./plugins/requester-plugin.ts";
import { runtimeClass } from "./plugins/runtime-class-plugin.ts";
import { serviceAccountPlugin } from "./plugins/service-account-plugin.ts";
import { claimResize, defaultStorageClass, storageProtection } from "./plugins/storage-plugins.ts";
import { terminatingDefinition } from "./plugins/terminating-definition.ts";
import { defaultTolerationSeconds, taintNodesByCondition } from "./plugins/tolerations.ts";
import { podTopologyLabels } from "./plugins/topology-labels-plugin.ts";
import { resourceQuota } from "./quota/quota-plugin.ts";
import { podSecurity } from "./security/security-plugin.ts";
import { serviceAddresses } from "./service-addresses.ts";

export interface AdmissionDeps {
  readonly store: Store;
  readonly registry: ResourceRegistry;
  readonly strategies: Strategies;
  readonly clock: Clock;
  /** Between 0 and 1; for names. */
  readonly random?: () => number;
  /** Left out, everybody may give away all rights, and create what they may update. */
  readonly access?: { readonly authorizer: Authorizer; readonly guard: EscalationGuard };
}

/** In the order of the real server, which has the namespaces' own check before all of them; so have the verbs here. */
function pluginsOf(deps: AdmissionDeps): readonly AdmissionPlugin[] {
  const { random = Math.random, access } = deps;
  return [
    terminatingDefinition,
    limitRanger,
    serviceAccountPlugin(random),
    nodeRestriction,
    taintNodesByCondition,
    podSecurity,
    priority,
    defaultTolerationSeconds,
    defaultStorageClass,
    storageProtection,
    claimResize,
    runtimeClass,
    defaultIngressClass,
    podTopologyLabels,
    resourceQuota(deps),
    ...(access === undefined ? [] : [escalationPlugin(access.guard)]),
    requester,
    // The last to change something: the real server does it when admission is over.
    serviceAddresses(),
  ];
}

/** What the verbs ask: first all plugins may change the object, then, when it has been checked, all may refuse it. */
export function createAdmission(deps: AdmissionDeps): Pick<WriteDeps, "admit" | "checkMayCreate" | "validate"> {
  const plugins = pluginsOf(deps);
  return {
    admit(write) {
      const admission = admissionOf(deps, write);
      if (write.object === undefined) {
        for (const plugin of plugins) plugin.validateDelete?.(admission);
        return undefined;
      }
      return plugins.reduce((object, plugin) => plugin.mutate?.({ ...admission, object }) ?? object, write.object);
    },
    validate(write) {
      const { object } = write;
      if (object === undefined) return;
      const admission = { ...admissionOf(deps, write), object };
      for (const plugin of plugins) plugin.validate?.(admission);
    },
    checkMayCreate({ user, info }) {
      const refusal = deps.access?.authorizer.refusal(attributesOf(user, { ...info, verb: "create" }));
      if (refusal !== undefined) throw refusal;
    },
  };
}

function admissionOf({ store }: AdmissionDeps, write: AdmittedWrite): Admission {
  const { resource, request, transaction } = write;
  const { subresource = "", namespace = "" } = request.info;
  const isPlaced = resource.namespaced || (resource.group === "" && resource.plural === "namespaces");
  const cluster = new ClusterObjects(store, transaction);
  return { ...write, subresource, namespace: isPlaced ? namespace : "", cluster };
}
