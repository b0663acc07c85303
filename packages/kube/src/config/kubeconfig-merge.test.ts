import { describe, expect, it } from "vitest";
import { parseKubeconfig } from "./kubeconfig-document.ts";
import { mergeKubeconfigs } from "./kubeconfig-merge.ts";
import { kubeconfigFiles, withAbsolutePaths } from "./kubeconfig-paths.ts";

describe("merging kubeconfigs", () => {
  it("takes each entry whole from the first file that has it", () => {
    const first = parseKubeconfig("users: [{name: red, user: {token: a}}]", "/1");
    const second = parseKubeconfig(
      "users: [{name: red, user: {token: b, as: x}}, {name: blue, user: {token: c}}]",
      "/2",
    );
    const merged = mergeKubeconfigs([first, second]);
    expect(merged.users.get("red")).toMatchObject({ file: "/1", token: "a", impersonate: undefined });
    expect(merged.users.get("blue")).toMatchObject({ file: "/2", token: "c" });
  });

  it("takes the current context from the first file that sets one", () => {
    const configs = ["{}", 'current-context: ""', "current-context: b", "current-context: c"].map((text) =>
      parseKubeconfig(text, "/f"),
    );
    expect(mergeKubeconfigs(configs).currentContext).toBe("b");
  });
});

describe("the files of a kubeconfig", () => {
  it("are the explicit one alone, before anything else", () => {
    expect(kubeconfigFiles("/x", { KUBECONFIG: "/a:/b" }, "/home/me")).toEqual({ paths: ["/x"], mustExist: true });
  });

  it("are those of KUBECONFIG, without empty and repeated ones", () => {
    expect(kubeconfigFiles(undefined, { KUBECONFIG: ":/a::/b:/a" }, "/home/me").paths).toEqual(["/a", "/b"]);
  });

  it.each([{}, { KUBECONFIG: "" }])("are the one at home when KUBECONFIG is not set: %j", (env) => {
    expect(kubeconfigFiles(undefined, env, "/home/me")).toEqual({ paths: ["/home/me/.kube/config"], mustExist: false });
  });
});

describe("paths inside a kubeconfig", () => {
  const config = withAbsolutePaths(
    parseKubeconfig(
      `
clusters: [{name: c, cluster: {certificate-authority: ca.crt}}]
users:
- {name: files, user: {client-certificate: pki/a.crt, client-key: ../a.key, tokenFile: /abs/token}}
- {name: relative, user: {exec: {command: ./bin/plugin}}}
- {name: bare, user: {exec: {command: plugin}}}
`,
      "/home/me/.kube/config",
    ),
  );

  it("are relative to the file that holds them", () => {
    expect(config.clusters.get("c")?.certificateAuthority).toBe("/home/me/.kube/ca.crt");
    expect(config.users.get("files")).toMatchObject({
      clientCertificate: "/home/me/.kube/pki/a.crt",
      clientKey: "/home/me/a.key",
      tokenFile: "/abs/token",
    });
  });

  it("leave a bare command to the PATH, and resolve one with a slash", () => {
    expect(config.users.get("bare")?.exec?.command).toBe("plugin");
    expect(config.users.get("relative")?.exec?.command).toBe("/home/me/.kube/bin/plugin");
  });
});
