/**
 * The provisioner on each node, beside a driver whose volumes are that node's alone; there is no leader. In reading order:
 *
 * - `own-node.ts`: the node, as the driver tells by NodeGetInfo, and a cluster of it alone in place of watched Nodes and CSINodes
 * - `node-deployment.ts`: what the provisioner asks, and how a claim without a node gets one
 * - `bids.ts`: when a node may try to take a claim; `claim-room.ts`: whether the driver has room for it
 *
 * What a provisioner does with it:
 *
 *     const node = await readOwnNode(csi, nodeName);
 *     const deployment = createNodeDeployment(deps, { ...nodeDeploymentDefaults, node });
 *     const planner = createTopologyPlanner({ ...deps, cluster: deployment.cluster }, options);
 *     const capacity = createCapacityController({ ...deps, ownNode: node }, capacityOptions);
 *     // before CreateVolume: if (!deployment.shouldProvision(claim)) leave the claim alone
 *     // before DeleteVolume: if (!deployment.shouldDelete(volume)) leave the volume alone
 *     await Promise.all([deployment.run(signal), …]);
 *
 * The selected node goes to the planner for every claim that has one, whatever the binding mode of its class.
 */
export {
  createNodeDeployment,
  type NodeDeployment,
  type NodeDeploymentDeps,
} from "./node-deployment.ts";
export { type NodeDeploymentOptions, nodeDeploymentDefaults } from "./options.ts";
export { type OwnNode, readOwnNode } from "./own-node.ts";
export { nodeDeploymentRules } from "./rbac.ts";
