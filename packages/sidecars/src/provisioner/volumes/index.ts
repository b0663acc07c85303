/**
 * Volumes and their PVs. `driver-calls.ts`: CreateVolume and DeleteVolume, and what their answers mean; `volume-saver.ts`: the PV of a
 * volume that was made; `volume-controller.ts`: PVs whose volumes are to go, by `volume-standing.ts`, with `deletion-secret.ts`.
 */
export { createVolumeController } from "./volume-controller.ts";
export { createVolumeSaver } from "./volume-saver.ts";
