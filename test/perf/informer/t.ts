import { fork } from "node:child_process"; import {once} from "node:events"; import { get } from "node:https"; import { readFileSync } from "node:fs";
const child = fork(new URL("./flood-server.ts", import.meta.url), ["10000", "/tmp/bt/c", "/tmp/bt/k"]);
const [{ port }] = (await once(child, "message")) as [{ port: number }];
const url = `https://127.0.0.1:${port}`; const ca = readFileSync("/tmp/bt/c");
const s = fork(new URL(`./subject-${process.argv[2]}.ts`, import.meta.url), [url, "/tmp/bt/c", "10000", "80000", "8000"], { execArgv: ["--expose-gc", ...(process.argv[3] ? ["--cpu-prof", "--cpu-prof-dir=/tmp/bt/prof"] : [])] });
s.on("message", async (m: any) => { if (m.ask === "prepare") { const [r] = await once(get(`${url}/prepare?events=${m.events}`, { ca }), "response"); r.resume(); s.send("x"); } else if (m.ask) { get(`${url}/flood`, { ca }, (r) => r.resume()); s.send("x"); } else { console.log(process.argv[2], m); child.disconnect(); } });
