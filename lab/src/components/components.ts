import type { Component, ComponentName, Plan } from "./component.ts";
import { desiredContainerd } from "./containerd.ts";
import { desiredEtcd } from "./etcd.ts";
import { desiredApiServer } from "./kube-apiserver.ts";
import { desiredControllerManager, desiredScheduler } from "./kube-controllers.ts";
import { desiredProxy } from "./kube-proxy.ts";
import { desiredKubelet } from "./kubelet.ts";

/** The components of the lab's level in stages: those of one stage need the stages before, and not each other. */
export function desiredStages(plan: Plan): Component[][] {
  const hasNode = plan.settings.level === "node";
  const hasControllers = plan.settings.level !== "api";
  const stages = [
    [desiredEtcd(plan), ...(hasNode ? [desiredContainerd(plan)] : [])],
    [desiredApiServer(plan)],
    [
      ...(hasControllers ? [desiredControllerManager(plan), desiredScheduler(plan)] : []),
      ...(hasNode ? [desiredKubelet(plan), desiredProxy(plan)] : []),
    ],
  ];
  return stages.map((stage) => stage.map((component) => withExtraFlags(component, plan)));
}

export function desiredComponents(plan: Plan): Component[] {
  return desiredStages(plan).flat();
}

export function desiredComponent(plan: Plan, name: ComponentName): Component {
  const found = desiredComponents(plan).find((component) => component.name === name);
  if (found === undefined) throw new TypeError(`a lab at the level ${plan.settings.level} has no ${name}`);
  return found;
}

/** Last, because a flag that is given twice has its last value. */
function withExtraFlags(component: Component, { settings }: Plan): Component {
  return { ...component, arguments: [...component.arguments, ...(settings.extraFlags[component.name] ?? [])] };
}
