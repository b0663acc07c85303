import type { ApiRequest } from "../../verbs/index.ts";
import type { SubresourceDeps } from "../subresource-deps.ts";
import { connectPlan } from "./connect-plan.ts";
import { converse, type UpgradeSocket } from "./upgrade.ts";

/**
 * Connects a client to a container: `exec`, `attach`, `portforward`. The request is authenticated and authorized already. Settles
 * when the connection is over, and never rejects: whatever is wrong, the client is told.
 */
export async function connectSubresource(
  deps: SubresourceDeps,
  request: ApiRequest,
  upgrade: UpgradeSocket,
): Promise<void> {
  await converse(upgrade.socket, () => connectPlan(deps, request).agree(upgrade));
}
