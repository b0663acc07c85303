/** What starts a command in a pseudo terminal of so many columns, whose output is the command's. */
export function onTerminal(columns: number, setting = ""): string[] {
  return terminalWith(`stty cols ${columns}; ${setting} exec $*`);
}

/** The same with a height. */
export function onScreen(rows: number, columns: number): string[] {
  return terminalWith(`stty rows ${rows} cols ${columns}; exec $*`);
}

function terminalWith(inside: string): string[] {
  return ["sh", "-c", `exec script --quiet --return --command "${inside}" /dev/null`, "sh"];
}
