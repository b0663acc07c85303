import { expect, it } from "vitest";
import { renderStatusTable } from "./status-table.ts";

it("the status table aligns its columns and marks what is not known", () => {
  const table = renderStatusTable({
    dir: "/lab",
    level: "control",
    server: "https://127.0.0.1:20000",
    kubeconfig: "/lab/kubeconfig",
    components: [
      {
        name: "etcd",
        state: "up",
        pid: 7,
        ports: [1, 2],
        version: "v3.6.16",
        rssBytes: 50 * 1024 * 1024,
        log: "/lab/log/etcd.log",
      },
      { name: "kube-apiserver", state: "down", ports: [20000], log: "/lab/log/kube-apiserver.log" },
    ],
  });
  expect(table).toMatchInlineSnapshot(`
    "lab in /lab, level control, https://127.0.0.1:20000
    COMPONENT       STATE  PID  PORTS  VERSION  RSS   LOG
    etcd            up     7    1,2    v3.6.16  50Mi  /lab/log/etcd.log
    kube-apiserver  down   -    20000  -        -     /lab/log/kube-apiserver.log
    "
  `);
});
