import type {
  Candidates,
  CompletedCommand,
  CompletedFlag,
  CompletedGroup,
  CompletionModel,
} from "./completion-model.ts";

/** By zsh's own `_arguments`: a function for each command and each group of them. */
export function zshScript({ groups, commands }: CompletionModel): string {
  return [
    "#compdef stowage",
    "# Completion of stowage for zsh. To have it: source <(stowage completion zsh)",
    "",
    ...commands.map(commandFunction),
    ...groups.map(groupFunction),
    "compdef _stowage stowage",
    "# In a file of $fpath, what stands here is the first call.",
    'if [[ "$funcstack[1]" == _stowage ]]; then _stowage "$@"; fi',
    "",
  ].join("\n");
}

function groupFunction({ path, flags, members }: CompletedGroup): string {
  const specs = [...flags.flatMap(flagSpecs), quoted("1: :->member"), quoted("*:: :->rest")];
  return [
    `${functionName(path)}() {`,
    '  local curcontext="$curcontext" state',
    "  local -a line members",
    "  typeset -A opt_args",
    `  ${["_arguments -C", ...specs].join(" \\\n    ")} && return`,
    "  case $state in",
    "    member)",
    "      members=(",
    ...members.map(({ word, summary }) => `        ${quoted(`${word}:${summary}`)}`),
    "      )",
    "      _describe -t commands command members ;;",
    "    rest)",
    "      case $line[1] in",
    ...members.map(({ word }) => `        ${word}) ${functionName([...path, word])} ;;`),
    "      esac ;;",
    "  esac",
    "}",
    "",
  ].join("\n");
}

function commandFunction({ path, flags, positional }: CompletedCommand): string {
  const specs = [
    ...flags.flatMap(flagSpecs),
    ...positional.map(({ name, value }, index) => quoted(`${index + 1}:${escaped(name)}:${action(value)}`)),
  ];
  return [`${functionName(path)}() {`, `  ${["_arguments -S", ...specs].join(" \\\n    ")}`, "}", ""].join("\n");
}

function functionName(path: readonly string[]): string {
  return ["_stowage", ...path].join("_");
}

/** One for each spelling. */
function flagSpecs({ long, short, help, placeholder, value, isSwitch, isRepeatable }: CompletedFlag): string[] {
  const repeats = isRepeatable ? "*" : "";
  const shown = `[${escaped(help)}]`;
  if (isSwitch) {
    const byEqualsSign = value.kind === "words" ? `${long}=-${shown}::value:${action(value)}` : `${long}${shown}`;
    return [quoted(byEqualsSign), ...(short === undefined ? [] : [quoted(`${short}${shown}`)])];
  }
  const after = `${shown}:${escaped(placeholder)}:${action(value)}`;
  return [
    quoted(`${repeats}${long}=${after}`),
    ...(short === undefined ? [] : [quoted(`${repeats}${short}+${after}`)]),
  ];
}

function action(value: Candidates): string {
  switch (value.kind) {
    case "words":
      return `(${value.words.join(" ")})`;
    case "file":
      return "_files";
    case "folder":
      return "_files -/";
    case "anything":
      // Says what is wanted, and offers nothing.
      return " ";
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[\\[\]:]/g, String.raw`\$&`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
