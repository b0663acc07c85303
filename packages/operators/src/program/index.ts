/** What a process that runs an operator has to know of it. */
export type { ManagementCluster, OperatorProgram, OperatorProgramDeps } from "./operator-program.ts";
