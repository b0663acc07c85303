import type { Scene } from "../scene.ts";

const release = (name: string) => `kubectl patch ${name} --type=merge -p '{"metadata":{"finalizers":null}}'`;

/** `delete` and `wait`. */
export const deletes: Scene = {
  name: "deletes",
  commands: [
    "kubectl create -f held.yaml",
    "kubectl create -f workloads.yaml",
    "kubectl create cm a --from-literal=a=b",
    "kubectl create cm b --from-literal=a=b",
    "kubectl create cm c --from-literal=a=b",
    "kubectl delete cm a --dry-run=server",
    "kubectl delete cm a",
    "kubectl delete cm a",
    "kubectl delete cm a --ignore-not-found",
    "kubectl delete cm b -o name",
    "kubectl delete cm held --wait=false",
    "kubectl get cm held -o yaml",
    "kubectl delete cm held --timeout=1s",
    { run: "kubectl delete cm held", after: /deleted/u, meanwhile: [release("cm/held")] },
    "kubectl delete pod running --wait=false",
    "kubectl get pod running",
    "kubectl get pod running -o jsonpath='{.metadata.deletionGracePeriodSeconds}'",
    "kubectl delete pod running --grace-period=5 --wait=false",
    "kubectl delete pod running --now --wait=false",
    "kubectl delete pod running --grace-period=0 --force",
    // Nobody lets the dependents go here: without `--wait=false` it would wait for ever.
    "kubectl delete deploy shop --cascade=orphan --wait=false",
    "kubectl get deploy shop -o jsonpath='{.metadata.finalizers}'",
    release("deploy/shop"),
    "kubectl delete sts base --cascade=foreground --wait=false",
    "kubectl get sts base -o jsonpath='{.metadata.finalizers}'",
    release("sts/base"),
    "kubectl get sts",
    "kubectl delete ds,cronjob --all",
    "kubectl delete svc -l app=none",
    "kubectl delete -f workloads.yaml --grace-period=0 --ignore-not-found --wait=false",
    "kubectl delete cm --field-selector metadata.name=c",
    "kubectl delete cm",
    "kubectl delete --raw /api/v1/namespaces/deletes/configmaps/none",
    {
      // It asks again and again, and does not watch.
      run: "kubectl wait --for=create cm/later --timeout=20s -v=6",
      after: /configmaps\/later/u,
      meanwhile: ["kubectl create cm later --from-literal=a=b"],
    },
    {
      run: "kubectl wait --for=delete cm/later --timeout=20s -v=6",
      after: /watch=true/u,
      meanwhile: ["kubectl delete cm later"],
    },
    "kubectl wait --for=delete cm/later --timeout=1s",
    "kubectl wait --for=condition=Ready pod/none --timeout=1s",
    "kubectl create deployment waited --image=example.com/a:1",
    "kubectl wait --for=condition=Available deploy/waited --timeout=1s",
    {
      run: "kubectl wait --for=condition=Available deploy/waited --timeout=20s -v=6",
      after: /watch=true/u,
      meanwhile: [
        `kubectl patch deploy waited --subresource=status -p '{"status":{"conditions":[{"type":"Available","status":"True"}]}}'`,
      ],
    },
    {
      run: "kubectl wait --for=jsonpath='{.spec.replicas}'=4 deploy/waited --timeout=20s -v=6",
      after: /watch=true/u,
      meanwhile: ["kubectl scale deploy waited --replicas=4"],
    },
    "kubectl wait --for=jsonpath='{.spec.paused}' deploy/waited --timeout=1s",
    "kubectl delete all --all --grace-period=0 --force --wait=false",
    "kubectl delete ns deletes --wait=false",
    "kubectl get ns deletes -o yaml",
    "kubectl create cm late --from-literal=a=b",
    "kubectl delete ns default",
  ],
};
