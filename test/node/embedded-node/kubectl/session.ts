import type { Command, Scene } from "../../../api/embedded-kubectl/scene.ts";

const image = "--image=local/tools:1";
const serving = `sh -c "trap 'exit 0' TERM; echo one; echo two; while :; do sleep 0.1; done"`;
const node = "$(kubectl get nodes -o jsonpath='{.items[0].metadata.name}')";
const create = (name: string) => `kubectl create deployment ${name} ${image} --replicas=2 -- ${serving}`;
const rolledOut = (name: string) => `kubectl rollout status deploy/${name} --timeout=60s`;
/** Those that were replaced are gone when nothing but their successors is left. */
const settled = "kubectl wait --for=jsonpath='{.status.terminatingReplicas}'=0 deploy/shop --timeout=60s";
const ready = (pod: string) => `kubectl wait --for=condition=Ready pod/${pod} --timeout=60s`;
const over = (pod: string) => `kubectl wait --for=jsonpath='{.status.phase}'=Succeeded pod/${pod} --timeout=60s`;

const logs: readonly Command[] = [
  `kubectl run talker ${image} --restart=Never --command -- sh -c "echo one; echo two; echo three"`,
  over("talker"),
  "kubectl logs talker",
  "kubectl logs talker --tail=1",
  "kubectl logs talker --timestamps",
  "kubectl logs talker --limit-bytes=5",
  "kubectl logs talker --since=1h",
  "kubectl logs talker --previous",
  "kubectl logs talker -c none",
  "kubectl logs none",
  `kubectl run counter ${image} --restart=Never --command -- sh -c "until [ -e /tmp/go ]; do sleep 0.1; done; for i in 1 2 3 4; do echo \\$i; sleep 0.5; done"`,
  ready("counter"),
  // It begins when it is listened to, not before it is seen.
  "kubectl exec counter -- touch /tmp/go",
  "kubectl logs -f counter",
  "kubectl get pod talker",
];

const commands: readonly Command[] = [
  `kubectl run box ${image} --labels=app=box --command -- ${serving}`,
  ready("box"),
  "kubectl get pod box",
  "kubectl exec box -- hostname",
  "kubectl exec box -- sh -c 'echo out; echo err >&2; exit 3'",
  "kubectl exec -i box -- cat < held.yaml",
  "kubectl exec box -c none -- true",
  "kubectl cp held.yaml box:/tmp/copied",
  "kubectl exec box -- cat /tmp/copied",
  "kubectl cp box:/tmp/copied back.yaml",
  "kubectl exec -i box -- cat < back.yaml",
  "kubectl describe pod box",
  "kubectl delete pod box",
  "kubectl get pod box",
];

const rollouts: readonly Command[] = [
  create("shop"),
  rolledOut("shop"),
  "kubectl get deploy,rs",
  { run: "kubectl get pods -l app=shop", isSorted: true },
  { run: "kubectl logs -l app=shop --tail=1", isSorted: true },
  "kubectl set env deploy/shop COLOUR=blue",
  rolledOut("shop"),
  settled,
  "kubectl rollout history deploy/shop",
  "kubectl rollout undo deploy/shop",
  rolledOut("shop"),
  settled,
  "kubectl rollout history deploy/shop",
  "kubectl scale deploy/shop --replicas=3",
  rolledOut("shop"),
  "kubectl get deploy shop",
  "kubectl scale deploy/shop --replicas=1",
  "kubectl wait --for=jsonpath='{.status.replicas}'=1 deploy/shop --timeout=60s",
  settled,
  { run: "kubectl get deploy,rs", isSorted: true },
];

/** Under a name of its own: Pods of other namespaces that are labelled so would be drained, too. */
const drained: readonly Command[] = [
  create("stall"),
  rolledOut("stall"),
  `kubectl cordon ${node}`,
  "kubectl get nodes",
  { run: `kubectl drain ${node} --pod-selector=app=stall --timeout=60s`, isSorted: true },
  "kubectl get deploy stall",
  `kubectl uncordon ${node}`,
  rolledOut("stall"),
  "kubectl get nodes",
  "kubectl delete deploy stall --cascade=foreground",
  "kubectl get all",
];

/** What somebody types who has Pods to look after. */
export const session: readonly Scene[] = [
  { name: "node-logs", commands: logs },
  { name: "node-commands", commands },
  { name: "node-rollouts", commands: rollouts },
];

/** What takes the node out of service for a while: nobody else may need it meanwhile. */
export const maintenance: readonly Scene[] = [{ name: "node-drained", commands: drained }];
