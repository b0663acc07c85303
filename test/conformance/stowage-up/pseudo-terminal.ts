/** What starts a command in a pseudo terminal of so many columns, whose output is the command's. */
export function onTerminal(columns: number, setting = ""): string[] {
  const inside = `stty cols ${columns}; ${setting} exec $*`;
  return ["sh", "-c", `exec script --quiet --return --command "${inside}" /dev/null`, "sh"];
}
