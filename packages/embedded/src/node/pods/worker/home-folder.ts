import { readFileSync } from "node:fs";

/** Of a user, as the machine knows it; containers see the machine's users. */
export function homeFolder(uid: number, usersFile = "/etc/passwd"): string {
  try {
    const users = readFileSync(usersFile, "utf8").split("\n");
    const fields = users.map((line) => line.split(":")).find(([, , id]) => id === String(uid));
    return fields?.[5] || "/";
  } catch {
    return "/"; // There is nobody on this machine.
  }
}
