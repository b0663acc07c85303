/**
 * Called by name at every change of state that survives the process: after a file is renamed, a loop device attached, a mount
 * made. A test kills the process in it; elsewhere it does nothing.
 */
export type FaultPoint = (name: string) => Promise<void>;

export const noFaults: FaultPoint = async () => {};
