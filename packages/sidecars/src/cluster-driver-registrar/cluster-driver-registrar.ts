import { isAlreadyExists, type KubeClient } from "@stowage/kube";
import { csiDrivers, type Logger } from "@stowage/machinery";
import { type CsiDriverWish, desiredCsiDriver, isAsWanted, needsReplacement } from "./csi-driver-object.ts";

export interface ClusterDriverRegistrarDeps {
  readonly client: KubeClient;
  readonly logger: Logger;
}

/** Makes the CSIDriver object what is wanted. Fields that this does not know of are left to whoever set them. */
export async function syncCsiDriver(deps: ClusterDriverRegistrarDeps, wish: CsiDriverWish): Promise<void> {
  const { client, logger } = deps;
  const wanted = desiredCsiDriver(wish);
  const ref = { name: wish.driverName };
  const found = await client.find(csiDrivers, ref);
  if (found !== undefined && isAsWanted(found, wanted)) return;
  if (found !== undefined && !needsReplacement(found, wanted)) {
    await client.patch(csiDrivers, ref, { type: "merge", patch: { spec: wanted.spec } });
    logger.info({ driver: wish.driverName }, "CSIDriver changed");
    return;
  }
  // attachRequired cannot be changed in place.
  const kept = found === undefined ? {} : found.spec;
  if (found !== undefined) {
    await client.delete(csiDrivers, ref, { preconditions: { uid: found.metadata.uid } });
  }
  try {
    await client.create(csiDrivers, { ...wanted, spec: { ...kept, ...wanted.spec } });
    logger.info({ driver: wish.driverName }, "CSIDriver made");
  } catch (error) {
    // Another replica was quicker; it wants the same.
    if (!isAlreadyExists(error)) throw error;
  }
}

export async function removeCsiDriver(
  { client, logger }: ClusterDriverRegistrarDeps,
  driverName: string,
): Promise<void> {
  const found = await client.find(csiDrivers, { name: driverName });
  if (found === undefined) return;
  await client.delete(csiDrivers, { name: driverName }, { preconditions: { uid: found.metadata.uid } });
  logger.info({ driver: driverName }, "CSIDriver removed");
}
