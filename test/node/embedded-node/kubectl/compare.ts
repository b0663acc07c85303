import { describeDifference, isSame } from "../../../api/embedded-kubectl/comparison.ts";
import type { Scene } from "../../../api/embedded-kubectl/scene.ts";
import { startClusters } from "../clusters.ts";
import { compareSession } from "./comparison.ts";
import { maintenance, session } from "./session.ts";

/**
 * `node test/node/embedded-node/kubectl/compare.ts [scene…]`: where kubectl says something else of Pods on our node than of
 * those on a real kubelet's, which is that of the lab in STOWAGE_REAL_LAB, or else of a temporary one. Needs root.
 */
const names = process.argv.slice(2);
const wanted = (scenes: readonly Scene[]) => scenes.filter(({ name }) => names.length === 0 || names.includes(name));
await using clusters = await startClusters({ labFolder: process.env["STOWAGE_REAL_LAB"] });
const compared = [
  ...(await compareSession(clusters, wanted(session))),
  ...(await compareSession(clusters, wanted(maintenance))),
];
for (const each of compared.filter((one) => !isSame(one))) process.stdout.write(`✗ ${describeDifference(each)}\n`);
process.stdout.write(`${compared.length} commands, ${compared.filter((each) => !isSame(each)).length} differ\n`);
