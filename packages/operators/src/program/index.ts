/** What a process that runs an operator has to know of it. */
export type { OperatorProgram, OperatorProgramDeps } from "./operator-program.ts";
