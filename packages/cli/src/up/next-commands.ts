import { demo } from "./demo-objects.ts";

export interface Shown {
  readonly demo: boolean;
  /** The cloud that there is not. */
  readonly simulated: string | undefined;
}

/** What to type next. */
export function nextCommands(kubeconfigPath: string, { demo: hasDemo, simulated }: Shown): string {
  const lines = [
    "",
    "Storage works. In another terminal:",
    "",
    `  export KUBECONFIG=${kubeconfigPath}`,
    "  kubectl get pods --all-namespaces",
    ...(hasDemo
      ? [`  kubectl get pvc --namespace ${demo.namespace}`, `  kubectl logs --namespace ${demo.namespace} ${demo.pod}`]
      : []),
    "  npx stowage status",
    "",
    ...(simulated === undefined
      ? []
      : [
          `There is no ${simulated} behind it: the mock driver stands in, and keeps no contents. What a Pod writes goes with it.`,
        ]),
    "Ctrl-C stops everything and leaves the data; `stowage reset` removes all of it.",
    "",
  ];
  return `${lines.join("\n")}\n`;
}
