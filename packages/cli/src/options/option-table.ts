/**
 * One typed table per command says everything about its options: flags, environment variables, help, shell completion and the
 * reference page are all made from it. A zero value must work: an option without a default is optional.
 */
export type OptionTable = Readonly<Record<string, OptionSpec>>;

interface Described {
  readonly help: string;
  /** One letter. */
  readonly short?: string;
  /** The variable that gives the value when the flag does not; `STOWAGE_` and the option's name when left out, none when false. */
  readonly env?: string | false;
}

export type OptionSpec =
  | StringOption
  | ListOption
  | IntegerOption
  | NumberOption
  | DurationOption
  | BooleanOption
  | ChoiceOption;

interface StringOption extends Described {
  readonly type: "string";
  readonly default?: string;
  /** What the help calls the value; `pathKinds` has those that mean a path. */
  readonly placeholder: string;
}

/** Separated by commas, and by being given again. */
interface ListOption extends Described {
  readonly type: "list";
  readonly default?: undefined;
  readonly placeholder: string;
}

interface IntegerOption extends Described {
  readonly type: "int";
  readonly default?: number;
  readonly minimum?: number;
}

interface NumberOption extends Described {
  readonly type: "number";
  readonly default?: number;
  readonly minimum?: number;
}

/** Written as Go writes durations, `1m30s`; the value is in milliseconds. */
interface DurationOption extends Described {
  readonly type: "duration";
  readonly default?: string;
}

/** False unless it says otherwise. Taken as `--flag`, `--flag=true` and `--flag=false`. */
interface BooleanOption extends Described {
  readonly type: "boolean";
  readonly default?: true;
}

interface ChoiceOption extends Described {
  readonly type: "choice";
  readonly choices: readonly string[];
  readonly default?: string;
}

type ValueOf<Spec extends OptionSpec> = Spec extends { type: "boolean" }
  ? boolean
  : Spec extends { type: "list" }
    ? readonly string[] | undefined
    : Spec extends { type: "int" | "number" | "duration" }
      ? Spec extends { default: number | string }
        ? number
        : number | undefined
      : Spec extends { type: "choice"; choices: readonly (infer Choice)[] }
        ? Spec extends { default: string }
          ? Choice
          : Choice | undefined
        : Spec extends { default: string }
          ? string
          : string | undefined;

export type OptionValues<Table extends OptionTable> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };

/** `logLevel` -> `--log-level`. */
export function flagOf(optionName: string): string {
  return `--${optionName.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export function environmentOf(optionName: string, spec: OptionSpec): string | undefined {
  if (spec.env === false) return undefined;
  return spec.env ?? `STOWAGE_${optionName.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** Placeholders, and names of arguments in capitals, that stand for a path; shells complete them as one. */
const pathKinds: Readonly<Record<string, "file" | "folder">> = { FILE: "file", SOCKET: "file", FOLDER: "folder" };

export function pathKindOf(placeholder: string): "file" | "folder" | undefined {
  return Object.hasOwn(pathKinds, placeholder) ? pathKinds[placeholder] : undefined;
}
