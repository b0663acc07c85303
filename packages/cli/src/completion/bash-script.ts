import type { Candidates, CompletedFlag, CompletionModel } from "./completion-model.ts";

/**
 * For bash 3.2 and later, macOS's own among them: no associative arrays, no negative indices. The tables are `case`s, so that a press of the
 * tab key starts no process of ours.
 */
export function bashScript({ groups, commands }: CompletionModel): string {
  const members = groups.map(({ path, members: those }) =>
    arm([path], `words ${those.map(({ word }) => word).join(" ")}`),
  );
  const flags = [...groups, ...commands].map(({ path, flags: those }) => arm([path], `words ${spellings(those)}`));
  const values = armsByAnswer(
    commands.flatMap(({ path, flags: those }) =>
      those.flatMap((flag) => namesOf(flag).map((name) => [[...path, name], flagAnswer(flag)] as const)),
    ),
  );
  const positional = commands.flatMap(({ path, positional: those }) =>
    those.map(({ value }, index) => arm([[...path, String(index)]], answer(value))),
  );
  return [
    "# Completion of stowage for bash. To have it: source <(stowage completion bash)",
    "",
    "# Each of these sets `found` to what may stand there.",
    table("_stowage_members", members),
    table("_stowage_flags", flags),
    table("_stowage_values", values),
    table("_stowage_arguments", positional),
    offering,
    walking,
    "complete -F _stowage stowage",
    "",
  ].join("\n");
}

type Key = readonly string[];

function table(name: string, arms: readonly string[]): string {
  return [`${name}() {`, "  found=", "  case $1 in", ...arms, "  esac", "}", ""].join("\n");
}

function arm(keys: readonly Key[], found: string): string {
  return `    ${keys.map((key) => `'${key.join(" ")}'`).join(" | ")}) found='${found}' ;;`;
}

/** Most flags are like others. */
function armsByAnswer(entries: readonly (readonly [Key, string])[]): string[] {
  return [...Map.groupBy(entries, ([, found]) => found)].map(([found, those]) =>
    arm(
      those.map(([key]) => key),
      found,
    ),
  );
}

function answer(value: Candidates): string {
  return value.kind === "words" ? `words ${value.words.join(" ")}` : value.kind;
}

function flagAnswer(flag: CompletedFlag): string {
  if (!flag.isSwitch) return answer(flag.value);
  return flag.value.kind === "words" ? `switch ${flag.value.words.join(" ")}` : "switch";
}

function namesOf({ long, short }: CompletedFlag): string[] {
  return short === undefined ? [long] : [long, short];
}

function spellings(flags: readonly CompletedFlag[]): string {
  return flags.flatMap(namesOf).join(" ");
}

const offering = `# Offers what $1 says of what begins with $2, with $3 before it.
_stowage_offer() {
  local word typed=$2
  local -a how=()
  case $1 in
    words\\ * | switch\\ *) how=(-W "\${1#* }") ;;
    file) how=(-f) ;;
    folder) how=(-d) ;;
    *) return ;;
  esac
  if [[ $1 == file || $1 == folder ]]; then
    typed=\${typed#[\\"\\']}
    typed=\${typed//\\\\/}
    compopt -o filenames 2>/dev/null
  fi
  while IFS= read -r word; do
    COMPREPLY+=("$3$word")
  done < <(compgen "\${how[@]}" -- "$typed")
}
`;

const walking = `_stowage() {
  local word found path= pending= ended= prefix= joins= i
  local -i count=0 position=0
  local -a words=()
  COMPREPLY=()
  # Bash takes --flag=value apart where it breaks words at the equals sign.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ count -gt 0 && ($word == = || -n $joins) ]]; then
      words[count - 1]+=$word
      [[ $word == = ]] && joins=1 || joins=
    else
      words[count]=$word
      count+=1
    fi
  done
  for ((i = 0; i < count - 1; i++)); do
    word=\${words[i]}
    if [[ -n $pending ]]; then
      pending=
    elif [[ $word == -- ]]; then
      ended=1
    elif [[ $word == -* ]]; then
      _stowage_values "$path $word"
      [[ -n $found && $found != switch* ]] && pending=$word
    else
      _stowage_members "$path"
      if [[ -n $found ]]; then
        path=\${path:+$path }$word
      else
        position+=1
      fi
    fi
  done
  word=\${words[count - 1]}
  if [[ -n $ended ]]; then
    return
  elif [[ -n $pending ]]; then
    _stowage_values "$path $pending"
  elif [[ $word == --*=* ]]; then
    _stowage_values "$path \${word%%=*}"
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=\${word%%=*}=
    word=\${word#*=}
  elif [[ $word == -* ]]; then
    _stowage_flags "$path"
  else
    _stowage_members "$path"
    [[ -n $found ]] || _stowage_arguments "$path $position"
  fi
  _stowage_offer "$found" "$word" "$prefix"
}
`;
