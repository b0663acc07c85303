import type { OperatorProgramDeps } from "../../program/index.ts";

export type VersionDeps = Pick<
  OperatorProgramDeps,
  "client" | "mapper" | "informers" | "events" | "clock" | "logger" | "metrics"
>;
