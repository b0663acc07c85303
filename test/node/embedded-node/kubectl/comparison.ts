import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureBinaries, silentProgress } from "@stowage/lab";
import type { Compared } from "../../../api/embedded-kubectl/comparison.ts";
import { normalForm, type Output } from "../../../api/embedded-kubectl/normal-form.ts";
import { asCommand, type Command, type Scene } from "../../../api/embedded-kubectl/scene.ts";
import { Shell } from "../../../api/embedded-kubectl/shell.ts";
import type { Clusters } from "../../../cluster/embedded-scenarios/clusters.ts";
import { type Outcome, RealOutcomes } from "../../../cluster/embedded-scenarios/real-outcomes.ts";
import type { NodeCluster } from "../clusters.ts";

/** In the names of Pods and ReplicaSets. */
const generated = /(?<=-)[bcdfghjklmnpqrstvwxz2456789]{8,10}(?:-[bcdfghjklmnpqrstvwxz2456789]{5})?\b/gu;
/** Which step it has come to when kubectl looks, and whether a stream is heard to its end; images of ours have no digests. */
const chance = /^Waiting for deployment|^(?:stderr: )?tar: Removing leading|^ +Image ID:|^ +Container ID:/u;
/** Of a lab that has been up for a while. */
const ages = /(?<= {2})\d+[mhd](?= |$)/gu;
const widths = / {2,}/gu;

/**
 * Types a session into both clusters, scenes beside each other, each command when both are done with the one before. A scene of which ours says
 * something else is typed into the real cluster again.
 */
export async function compareSession(clusters: Clusters<NodeCluster>, scenes: readonly Scene[]): Promise<Compared[]> {
  const { kubectl } = await ensureBinaries(["kubectl"], { progress: silentProgress });
  const kubectlPath = kubectl?.path ?? "kubectl";
  return (await Promise.all(scenes.map((scene) => compareScene(clusters, scene, kubectlPath)))).flat();
}

async function compareScene({ real, embedded }: Clusters<NodeCluster>, scene: Scene, kubectlPath: string) {
  const open = (cluster: NodeCluster, name: string) => openShell(cluster, name, kubectlPath);
  const [theirs = {}, ours = {}] = await typed([open(real, scene.name), open(embedded, scene.name)], scene);
  const outcomes = new RealOutcomes(ours);
  outcomes.add(theirs);
  await outcomes.askAgain(async (round) => (await typed([open(real, `${scene.name}-${round}`)], scene))[0]);
  const closest = outcomes.closest() ?? theirs;
  return scene.commands.flatMap((each, index): Compared[] => {
    const [said, ourSaid] = [closest, ours].map((outcome) => outcome[sectionOf(each, index)]);
    return said && ourSaid ? [{ command: asCommand(each).run, real: said, embedded: ourSaid }] : [];
  });
}

/** Some commands are typed twice. */
function sectionOf(command: Command, index: number): string {
  return `${index} ${asCommand(command).run}`;
}

/** The scene in a new namespace of each shell; what each of them was told, by command. */
async function typed(shells: readonly OpenShell[], { commands }: Scene): Promise<Outcome<Output>[]> {
  const heard: Outcome<Output[]>[] = [];
  for (const run of preparations) await Promise.all(shells.map(({ shell }) => shell.run({ run })));
  for (const [index, each] of commands.entries()) {
    heard.push({ [sectionOf(each, index)]: await Promise.all(shells.map((open) => said(open, each))) });
  }
  await Promise.all(shells.map(({ shell }) => shell.run({ run: "kubectl delete namespace $NAMESPACE --wait=false" })));
  const entries = heard.flatMap((section) => Object.entries(section));
  return shells.map((_, which) =>
    Object.fromEntries(entries.flatMap(([name, all]) => all.slice(which, which + 1).map((one) => [name, one]))),
  );
}

/** What a new namespace has after a while. */
const preparations = [
  "kubectl create namespace $NAMESPACE",
  "kubectl wait --for=create serviceaccount/default cm/kube-root-ca.crt --timeout=60s",
];

interface OpenShell {
  readonly shell: Shell;
  readonly cluster: NodeCluster;
  readonly namespace: string;
}

function openShell(cluster: NodeCluster, name: string, kubectlPath: string): OpenShell {
  const kubeconfig = readFileSync(cluster.kubeconfigPath, "utf8");
  const namespace = `${name}-${cluster.runId}`;
  const shell = new Shell({ folder: join(cluster.folder, namespace), kubeconfig, kubectlPath, namespace });
  return { shell, cluster, namespace };
}

async function said({ shell, cluster, namespace }: OpenShell, each: Command): Promise<Output> {
  const command = asCommand(each);
  const { code, lines } = normalForm(await shell.run(command));
  const own = (line: string) =>
    line
      .replaceAll(namespace, "<namespace>")
      .replaceAll(cluster.runId, "<run>")
      .replaceAll(new RegExp(`(?<![\\w-])${cluster.nodeName}(?![\\w-])`, "gu"), "<node>")
      .replaceAll(cluster.addresses, "<ip>")
      .replaceAll(generated, "<generated>")
      .replaceAll(ages, "<age>")
      .replaceAll(widths, "  ");
  const shown = lines.filter((line) => !chance.test(line)).map(own);
  return { code, lines: command.isSorted ? shown.toSorted() : shown };
}
