import { parameterPrefix, StowageError } from "@stowage/machinery";
import { secretParameterKeys } from "./class-secrets.ts";

type Parameters = Readonly<Record<string, string>>;

const FS_TYPE = `${parameterPrefix}fstype`;

const knownKeys: ReadonlySet<string> = new Set([FS_TYPE, ...secretParameterKeys]);

/** What of a class's parameters is for the driver. Throws CLASS_PARAMETERS_INVALID for those that nobody understands. */
export function driverParameters(parameters: Parameters): Record<string, string> {
  const unknown = Object.keys(parameters).find((key) => key.startsWith(parameterPrefix) && !knownKeys.has(key));
  if (unknown !== undefined) {
    throw new StowageError(
      "CLASS_PARAMETERS_INVALID",
      `the class's parameter "${unknown}" is under ${parameterPrefix}, which is reserved, and means nothing there`,
    );
  }
  return Object.fromEntries(Object.entries(parameters).filter(([key]) => !key.startsWith(parameterPrefix)));
}

/** The file system that the class asks for, under the present or the old key. Throws CLASS_PARAMETERS_INVALID for both. */
export function fsTypeOf(parameters: Parameters, defaultFsType: string): string {
  const given = Object.entries(parameters).filter(([key]) => key === FS_TYPE || key.toLowerCase() === "fstype");
  if (given.length > 1) {
    const keys = given.map(([key]) => `"${key}"`).join(" and ");
    throw new StowageError("CLASS_PARAMETERS_INVALID", `the class says its file system twice, by ${keys}: keep one`);
  }
  return given[0]?.[1] || defaultFsType;
}
