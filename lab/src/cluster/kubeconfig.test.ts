import { expect, it } from "vitest";
import { renderKubeconfig } from "./kubeconfig.ts";

it("a kubeconfig has all that a client needs inside", () => {
  const text = renderKubeconfig({
    server: "https://127.0.0.1:20001",
    authority: "CA",
    user: "admin",
    client: { certificate: "CERT", key: "KEY" },
  });
  expect(text).toMatchInlineSnapshot(`
    "apiVersion: v1
    kind: Config
    clusters:
      - name: lab
        cluster:
          server: https://127.0.0.1:20001
          certificate-authority-data: Q0E=
    users:
      - name: admin
        user:
          client-certificate-data: Q0VSVA==
          client-key-data: S0VZ
    contexts:
      - name: lab
        context:
          cluster: lab
          user: admin
    current-context: lab
    "
  `);
});
