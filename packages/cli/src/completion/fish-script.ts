import type { Candidates, CompletedFlag, CompletionModel } from "./completion-model.ts";

/** One `complete` for each thing that may be typed, with the place where it may. */
export function fishScript({ groups, commands }: CompletionModel): string {
  const lines = [
    ...groups.flatMap(({ path, flags, members }) => [
      ...members.map(({ word, summary }) => offer(place("__stowage_is", path), `-a ${word} -d ${quoted(summary)}`)),
      ...flags.map((flag) => offer(place("__stowage_is", path), flagOptions(flag))),
    ]),
    ...commands.flatMap(({ path, flags, positional }) => [
      ...positional.flatMap(({ value }, index) => {
        const options = candidates(value);
        return options === "" ? [] : [offer(place(`__stowage_is_after ${index}`, path), options)];
      }),
      ...flags.map((flag) => offer(place("__stowage_is_below", path), flagOptions(flag))),
    ]),
  ];
  return [
    "# Completion of stowage for fish. To have it: stowage completion fish | source",
    "",
    "# Flags whose value is the next word; none of them stands alone anywhere.",
    `set -g __stowage_valued ${valuedFlags(commands).join(" ")}`,
    "",
    helpers,
    ...lines,
    "",
  ].join("\n");
}

function valuedFlags(commands: CompletionModel["commands"]): string[] {
  const valued = commands.flatMap(({ flags }) => flags.filter(({ isSwitch }) => !isSwitch));
  return [...new Set(valued.flatMap(({ long, short }) => (short === undefined ? [long] : [long, short])))];
}

function offer(condition: string, options: string): string {
  return `complete -c stowage -n ${quoted(condition)} ${options}`;
}

function place(helper: string, path: readonly string[]): string {
  return [helper, ...path].join(" ");
}

function flagOptions({ long, short, help, value, isSwitch }: CompletedFlag): string {
  const names = [`-l ${long.slice(2)}`, ...(short === undefined ? [] : [`-s ${short.slice(1)}`])];
  return [...names, ...(isSwitch ? [] : [value.kind === "file" ? "-r" : "-x", candidates(value)]), `-d ${quoted(help)}`]
    .filter(Boolean)
    .join(" ");
}

function candidates(value: Candidates): string {
  switch (value.kind) {
    case "words":
      return `-a ${quoted(value.words.join(" "))}`;
    case "file":
      return "-F";
    case "folder":
      return `-a ${quoted("(__fish_complete_directories)")}`;
    case "anything":
      return "";
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}

const helpers = `# The words of the line before the cursor that are no flags, nor the values of any.
function __stowage_words
    set -l words (commandline -opc)
    set -e words[1]
    set -l before
    for word in $words
        contains -- "$before" $__stowage_valued; or string match -q -- '-*' $word; or echo $word
        set before $word
    end
end

# They are these words and no others.
function __stowage_is
    set -l words (__stowage_words)
    test "$words" = "$argv"
end

# They begin with these words.
function __stowage_is_below
    set -l words (__stowage_words)
    set -l count (count $argv)
    test "$words[1..$count]" = "$argv"
end

# They are these words and as many others as the first argument says.
function __stowage_is_after
    set -l words (__stowage_words)
    set -l wanted $argv
    set -e wanted[1]
    __stowage_is_below $wanted; and test (count $words) -eq (math (count $wanted) + $argv[1])
end

complete -c stowage -f
`;
