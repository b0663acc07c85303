/**
 * Every error that Stowage raises on purpose, in one place: its code (other programs rely on it, never rename one) and what
 * a person can do next. The reference page `docs/reference/errors.md` is generated from this table.
 */
export interface CatalogueEntry {
  /** What went wrong, without the particulars. */
  readonly summary: string;
  /** What a person does about it; an error may give a more exact next step of its own. */
  readonly nextStep: string;
}

export const errorCatalogue = {
  API_STATUS: {
    summary: "The API server answered, and refused the request.",
    nextStep: "Read the server's message; it names what it objects to.",
  },
  API_GROUP_UNAVAILABLE: {
    summary: "An API group is registered with the server, but whatever serves it does not answer.",
    nextStep: "Look at its APIService (`kubectl get apiservices`) and at the Pods behind it.",
  },
  INFORMER_NOT_SYNCED: {
    summary: "The local copy of a resource was not complete in time.",
    nextStep: "Check that the server can be reached and that the user may list and watch the resource.",
  },
  INITIAL_EVENTS_SILENT: {
    summary: "The server accepted a streamed list and sent nothing.",
    nextStep: "Nothing to do: the client falls back to plain lists.",
  },
  INVALID_REQUEST: {
    summary: "A request to the API was put together wrongly.",
    nextStep: "Report it as a defect of the component that made the request.",
  },
  KIND_NOT_SERVED: {
    summary: "The API server does not have the kind or resource that was asked for.",
    nextStep: "Check its spelling and group with `kubectl api-resources`; if a CRD defines it, install that CRD.",
  },
  LEADERSHIP_LOST: {
    summary: "This process led and does so no longer, because its lease was not renewed in time or was taken.",
    nextStep:
      "Nothing to do if the process is restarted, as in a Deployment; if it recurs, check the API server's latency.",
  },
  LEASE_TIMING_INVALID: {
    summary: "The times given for leader election do not fit together.",
    nextStep: "Choose a lease duration longer than the renew deadline, and a retry period well below the latter.",
  },
  MALFORMED_RESPONSE: {
    summary: "The server answered with something that is not whole JSON.",
    nextStep: "Check for a proxy between here and the server that alters or cuts answers, then try again.",
  },
  MALFORMED_WATCH: {
    summary: "A watch sent something that is not a watch event.",
    nextStep:
      "Check for a proxy between here and the server that alters answers; the watch is taken up again by itself.",
  },
  NOT_A_KUBERNETES_API: {
    summary: "The server answered, but not as a Kubernetes API does.",
    nextStep: "Check the server address in the kubeconfig: it may point at a web site, a login page or a proxy.",
  },
  REQUEST_TIMEOUT: {
    summary: "The server did not answer a request in time.",
    nextStep: "Check that the server is up and not overloaded, then try again.",
  },
  RESPONSE_CUT_OFF: {
    summary: "The connection ended in the middle of an answer.",
    nextStep: "Try again; if it keeps happening, look for a proxy or load balancer on the way with a short time limit.",
  },
  INVALID_DURATION: {
    summary: "A duration cannot be read.",
    nextStep: "Write numbers with units, such as 300ms, 1.5h or 2h45m.",
  },
  INVALID_QUANTITY: {
    summary: "A resource quantity does not follow the Kubernetes grammar.",
    nextStep: "Write a number with an optional suffix such as 500m, 1.5Gi, 10G or 1e3.",
  },
  INVALID_SELECTOR: {
    summary: "A label or field selector cannot be read.",
    nextStep: "Write label selectors like app=web,tier in (a,b),!old and field selectors like metadata.name=x.",
  },
  INVALID_TIME: {
    summary: "A time is not a full date and time with an offset, or lies outside the years 0 to 9999.",
    nextStep: "Write the time as in 2026-01-31T15:04:05Z, or 2026-01-31T15:04:05.000000Z where microseconds are kept.",
  },
  KUBECONFIG_NOT_FOUND: {
    summary: "No kubeconfig was found, or the file that was asked for does not exist.",
    nextStep: "Pass --kubeconfig, set KUBECONFIG, or put a kubeconfig at ~/.kube/config.",
  },
  KUBECONFIG_INVALID: {
    summary: "A kubeconfig cannot be read, is not YAML, or does not have the shape of a kubeconfig.",
    nextStep: "Correct the file at the entry that the message names; `kubectl config view` shows how it is understood.",
  },
  KUBECONFIG_EMPTY: {
    summary: "The kubeconfig names no server to talk to.",
    nextStep: "Add a cluster with a server, a context for it, and set current-context.",
  },
  KUBECONFIG_CONTEXT_UNKNOWN: {
    summary: "The context asked for is not in the kubeconfig, or it points at a cluster or user that is not.",
    nextStep: "Choose one of the contexts that `kubectl config get-contexts` lists.",
  },
  KUBECONFIG_CONFLICT: {
    summary: "Two settings of a kubeconfig entry exclude each other.",
    nextStep: "Remove one of the two settings that the message names.",
  },
  KUBECONFIG_CERTIFICATE_INVALID: {
    summary: "A certificate or key of the kubeconfig is missing, unreadable, not PEM, or does not fit its counterpart.",
    nextStep: "Point the entry at the right PEM file, or renew the certificate and its key together.",
  },
  KUBECONFIG_PROXY_INVALID: {
    summary: "A proxy address is not a URL of a kind that is supported.",
    nextStep: "Write it as http://, https:// or socks5://, with a host and a port.",
  },
  AUTH_PROVIDER_UNSUPPORTED: {
    summary: "The kubeconfig logs in through auth-provider, which Kubernetes replaced by exec plugins.",
    nextStep: "Use an exec credential plugin for this user.",
  },
  CREDENTIAL_FILE_UNREADABLE: {
    summary: "A file that holds credentials cannot be read, or is empty.",
    nextStep: "Check that the file exists and that this process may read it.",
  },
  CREDENTIAL_PLUGIN_NOT_FOUND: {
    summary: "The exec credential plugin of the kubeconfig is not installed.",
    nextStep: "Install the plugin and check that it is on the PATH.",
  },
  CREDENTIAL_PLUGIN_FAILED: {
    summary: "The exec credential plugin failed or took too long.",
    nextStep: "Run the plugin by hand and read what it prints on its standard error.",
  },
  CREDENTIAL_PLUGIN_OUTPUT_INVALID: {
    summary: "The exec credential plugin did not print a usable ExecCredential.",
    nextStep: "Check that the plugin supports the apiVersion that the kubeconfig asks for.",
  },
  SERVER_NOT_RESOLVED: {
    summary: "The name of the API server has no address.",
    nextStep: "Check the server's name in the kubeconfig, and that this machine's DNS is reachable.",
  },
  CONNECTION_REFUSED: {
    summary: "Nothing listens at the API server's address.",
    nextStep: "Check that the API server runs, and that the port in the kubeconfig is right.",
  },
  CONNECTION_TIMEOUT: {
    summary: "The API server could not be reached in time.",
    nextStep: "Check the address, firewalls and VPN between this machine and the API server.",
  },
  DRIVER_NOT_REGISTERED: {
    summary: "A CSI driver could not be registered on a node.",
    nextStep: "Look at the logs of the driver's Pod on that node, of its registrar above all.",
  },
  CONTAINER_CONFIG: {
    summary: "A container cannot be started with what its Pod says of it.",
    nextStep: "Mend what the message names: a variable, or the object that it comes from.",
  },
  VOLUME_SOURCE_MISSING: {
    summary: "What a volume's files are made of is not there, or cannot be its files.",
    nextStep: "Create the object or the key that the message names, or mark the volume as optional.",
  },
  VOLUME_NOT_MOUNTED: {
    summary: "A volume could not be brought to a Pod on its node, or taken from it.",
    nextStep: "Read the driver's message. Nothing else, if it passes: it is tried again.",
  },
  CONTAINER_NEEDS_ROOT: {
    summary: "A container asks for what the embedded node cannot give without root.",
    nextStep: "Leave out what the message names, or start Stowage as root.",
  },
  VOLUME_BUSY: {
    summary: "A volume of a Pod cannot be removed from its node: something else is mounted in it.",
    nextStep: "Unmount what the message names; it is tried again.",
  },
  IMAGE_UNKNOWN: {
    summary: "There is no program for an image: the embedded node pulls none.",
    nextStep: "Give the container a command that is on this machine, or name an image that the node knows.",
  },
  PROBE_FAILED: {
    summary: "A container did not answer as its probe or its hook expects.",
    nextStep: "Look at the container's logs, and at the port and the path of the probe.",
  },
  LIFECYCLE_HOOK_FAILED: {
    summary: "What a container is to do after its start or before its end has failed.",
    nextStep: "Look at the hook in the Pod's `lifecycle`, and try it in the container (`kubectl exec`).",
  },
  CONTAINER_COMMAND_NOT_FOUND: {
    summary: "A command that is to run in a container is not there.",
    nextStep: "Mend the command of the probe, the hook or the call: it is looked for on the container's PATH.",
  },
  CONTAINER_NOT_RUNNING: {
    summary: "Something was asked of a container that does not run.",
    nextStep: "Look at the Pod (`kubectl describe pod`): it says what became of its containers.",
  },
  TERMINALS_MISSING: {
    summary: "A command in a container was to have a terminal, and nothing on the node's machine makes one.",
    nextStep: "Leave `--tty` out, or install `script` of util-linux there (in Debian the package bsdutils has it).",
  },
  NODE_AGENT_UNREACHABLE: {
    summary: "The API server could not ask the agent of a node for logs, a command or a port.",
    nextStep: "Look whether `stowage node` runs there, and whether its Node tells the right address and port.",
  },
  NODE_IDENTITY_INCOMPLETE: {
    summary: "The kubeconfig of a node has no certificate by which it could show to the API server who it is.",
    nextStep: "Use one that `stowage identity node NAME` has written.",
  },
  CLUSTER_WITHOUT_IDENTITY: {
    summary: "A data directory holds no cluster for which a kubeconfig could be made.",
    nextStep:
      "Start the API server once with this data directory (`stowage apiserver --data-dir …`), or name the right one.",
  },
  CONNECTION_RESET: {
    summary: "The connection to the API server broke before it answered.",
    nextStep: "Try again; if it keeps happening, look at the API server, or at the load balancer before it.",
  },
  CONNECTION_FAILED: {
    summary: "The connection to the API server failed.",
    nextStep: "Check the network between this machine and the API server.",
  },
  RESPONSE_TIMEOUT: {
    summary: "The API server accepted the request but did not begin to answer in time.",
    nextStep: "Try again; if it keeps happening, check the load of the API server and the network on the way to it.",
  },
  RESPONSE_INVALID: {
    summary: "What answers at the API server's address does not speak HTTP, or broke off inside an answer.",
    nextStep: "Check that the address and port in the kubeconfig are those of a Kubernetes API server.",
  },
  SERVER_CERTIFICATE_UNTRUSTED: {
    summary: "The API server's certificate is not signed by a trusted authority.",
    nextStep: "Set certificate-authority-data of the cluster to the authority that signed the server's certificate.",
  },
  SERVER_CERTIFICATE_WRONG_NAME: {
    summary: "The API server's certificate is for other names than the one it was called by.",
    nextStep: "Call the server by a name in its certificate, or set tls-server-name of the cluster.",
  },
  SERVER_CERTIFICATE_EXPIRED: {
    summary: "The API server's certificate is not valid at this time.",
    nextStep: "Renew the server's certificate, and check the clock of this machine.",
  },
  CLIENT_CERTIFICATE_REFUSED: {
    summary: "The API server refused the client certificate, or wants one and got none.",
    nextStep:
      "Renew the client certificate of the user in the kubeconfig, signed by the authority that the server trusts.",
  },
  TLS_FAILED: {
    summary: "No secure connection to the API server could be agreed on.",
    nextStep: "Check that the address is an HTTPS server that speaks TLS 1.2 or newer.",
  },
  WRONG_PROTOCOL: {
    summary: "The server was called by HTTPS and speaks plain HTTP, or the other way round.",
    nextStep: "Change the scheme of the server in the kubeconfig.",
  },
  PROXY_FAILED: {
    summary: "The proxy on the way to the API server cannot be reached, or refused to connect.",
    nextStep: "Check proxy-url of the cluster, or HTTPS_PROXY and NO_PROXY in the environment.",
  },
  TRANSPORT_CLOSED: {
    summary: "A request was made on a client that has been closed.",
    nextStep: "Make a new client; this one was closed because its owner stopped.",
  },
  INVALID_PATCH: {
    summary: "A patch cannot be applied to the object: what it names is not there, or is not what it says.",
    nextStep: "Read the object as it is now, and correct the patch at the place that the message names.",
  },
  MALFORMED_PATCH: {
    summary: "A patch does not have the shape that its type asks for.",
    nextStep: "Correct the patch at the place that the message names; `kubectl patch --dry-run=server` checks it.",
  },
  APPLY_CONFLICT: {
    summary: "Server-side apply would change fields that other managers own.",
    nextStep: "Leave the fields out, give them the value that they have, or take them over with `--force-conflicts`.",
  },
  APPLY_INVALID_OBJECT: {
    summary: "An object, or what is applied to it, is not of its type, so that its fields cannot be merged.",
    nextStep: "Correct what is applied at the place that the message names; `kubectl explain` tells what may be there.",
  },
  APPLY_REFUSED: {
    summary: "What is applied is of another kind or version than the object, or brings managed fields along.",
    nextStep: "Apply to the kind and version that the request names, and leave `metadata.managedFields` out.",
  },
  STRATEGIC_MERGE_UNSUPPORTED: {
    summary: "Strategic merge patch was asked for on a kind that does not support it, such as one of a CRD.",
    nextStep: "Use a JSON merge patch (`kubectl patch --type=merge`) or server-side apply.",
  },
  CSI_CALL_FAILED: {
    summary: "A CSI driver refused a call, or failed at it.",
    nextStep: "Read the driver's message and its log; the gRPC code says of which kind the failure is.",
  },
  CSI_CALL_TIMEOUT: {
    summary: "A CSI driver did not answer in time. It may still be at work.",
    nextStep: "The call is repeated by itself; if it recurs, look at the driver's log and the storage behind it.",
  },
  CSI_DRIVER_UNAVAILABLE: {
    summary: "A CSI driver cannot be reached at its socket, or says that it cannot serve just now.",
    nextStep: "Check that the driver's container runs and that both containers mount the folder of the socket.",
  },
  CSI_DRIVER_NOT_READY: {
    summary: "A CSI driver was not ready in the time that was given to it.",
    nextStep: "Look at the driver's log: it decides by itself when it is ready.",
  },
  CSI_DRIVER_INVALID: {
    summary: "A CSI driver cannot be served, because what it offers does not fit together.",
    nextStep: "Correct the driver at the place that the message names.",
  },
  CSI_SOCKET_IN_USE: {
    summary: "Another process already listens at the socket of a CSI driver.",
    nextStep: "Stop the process that listens there, or give this one another socket.",
  },
  CSI_SOCKET_UNUSABLE: {
    summary: "The socket of a CSI driver cannot be made where it was asked for.",
    nextStep: "Check the path, what is there already, and that this process may write to its folder.",
  },
  CSI_REGISTRATION_REFUSED: {
    summary: "Kubelet refused to register a CSI driver.",
    nextStep: "Read kubelet's message; often the driver's socket is not where kubelet was told, or NodeGetInfo failed.",
  },
  CSI_ENDPOINT_INVALID: {
    summary: "The address of a CSI driver's socket cannot be used.",
    nextStep: "Give the absolute path of the socket, such as unix:///run/csi/socket or /run/csi/socket.",
  },
  COMMAND_FAILED: {
    summary: "A program of the system failed.",
    nextStep: "Read what the program said, which the message ends with.",
  },
  COMMAND_NOT_FOUND: {
    summary: "A program of the system that is needed is not installed.",
    nextStep: "Install the package that has the program on this machine.",
  },
  COMMAND_TIMEOUT: {
    summary: "A program of the system did not finish in time.",
    nextStep: "Check the machine's disks for errors and its load, then try again.",
  },
  LOCAL_DRIVER_OPTIONS_INVALID: {
    summary: "The local driver cannot run with the options it was given.",
    nextStep: "Correct the option that the message names.",
  },
  LOCAL_STATE_IN_USE: {
    summary: "Another process of the local driver uses the state directory.",
    nextStep: "Stop that process, or give this one a state directory of its own.",
  },
  LOCAL_STATE_NEWER: {
    summary: "The local driver's state was written by a newer version of it.",
    nextStep: "Run the newer version again, or give this one a state directory of its own.",
  },
  ACCESS_MODES_UNSUPPORTED: {
    summary: "The access modes of a volume cannot be put to the driver.",
    nextStep: "Ask for one of ReadWriteOnce, ReadWriteOncePod, ReadOnlyMany and ReadWriteMany.",
  },
  SECRET_PARAMETERS_INVALID: {
    summary: "The parameters by which a class names a Secret do not name one.",
    nextStep: "Give the name and the namespace of the Secret, each once; classes cannot be changed, so make a new one.",
  },
  SECRET_TEMPLATE_INVALID: {
    summary: "The name of a Secret has a token that means nothing.",
    nextStep: "Correct the token in the class's parameters; classes cannot be changed, so make a new one.",
  },
  SIDECAR_PLACE_UNKNOWN: {
    summary: "A sidecar needs to know where it runs and was not told.",
    nextStep: "Set the variable in the Pod's template by the downward API (`fieldRef`).",
  },
  SERVING_ADDRESS_UNUSABLE: {
    summary: "Metrics and health checks cannot be served at the address that was given.",
    nextStep: "Write the address as host:port or :port, with a port that is free.",
  },
  TOPOLOGY_RESCHEDULE: {
    summary: "The node that was selected for a claim cannot be used by the driver.",
    nextStep: "Nothing to do: the scheduler is asked to choose a node anew.",
  },
  TOPOLOGY_UNKNOWN: {
    summary: "Where a volume has to be cannot be told from the nodes and the class.",
    nextStep:
      "Check that the driver runs on the nodes (`kubectl get csinodes`) and what the class's allowedTopologies say.",
  },
  VOLUME_ATTACHMENT_UNUSABLE: {
    summary: "A VolumeAttachment does not name a volume that the driver can attach.",
    nextStep: "Delete the VolumeAttachment, or the Pod that it was made for, and correct the volume that it names.",
  },
  VOLUME_NOT_ATTACHED: {
    summary: "A volume could not be attached to the node whose Pods need it.",
    nextStep: "Read the driver's message. Nothing else, if it passes: it is tried again.",
  },
  VOLUME_NOT_DETACHED: {
    summary: "A volume could not be detached from a node that does not need it any more.",
    nextStep:
      "Read the message: the node may still use the volume, or its driver may not be running. It is tried again.",
  },
  EPHEMERAL_CLAIM_UNUSABLE: {
    summary: "The claim of a Pod's generic ephemeral volume could not be made, or belongs to somebody else.",
    nextStep: "Rename the claim that is in the way, or the Pod.",
  },
  NODE_NOT_REGISTERED: {
    summary: "The driver is not registered on a node, so that volumes cannot be attached to it.",
    nextStep: "See to it that the driver's Pod runs on the node: kubelet then puts the driver into the node's CSINode.",
  },
  CLAIM_VOLUME_UNKNOWN: {
    summary: "The PersistentVolume of a claim has not been seen.",
    nextStep: "Nothing, if it was just made: it is tried again. Otherwise restore the PersistentVolume.",
  },
  ATTRIBUTES_CLASS_MISSING: {
    summary: "A claim is being changed to a VolumeAttributesClass that does not exist.",
    nextStep: "Create the VolumeAttributesClass, so that the change can be finished.",
  },
  CLAIM_UNSUPPORTED: {
    summary: "A claim asks for something that its driver, or dynamic provisioning, cannot do.",
    nextStep: "Change the claim as the message says, or use a class whose driver can do it.",
  },
  CLASS_NOT_FOUND: {
    summary: "The StorageClass that a claim names does not exist.",
    nextStep: "Create the class, or make the claim anew with one that `kubectl get storageclass` lists.",
  },
  CLASS_PARAMETERS_INVALID: {
    summary: "A parameter of a StorageClass is not known, or contradicts another.",
    nextStep: "Correct the parameter that the message names; classes cannot be changed, so make a new one.",
  },
  DATA_SOURCE_UNUSABLE: {
    summary: "A claim cannot be filled from the claim or snapshot that it names.",
    nextStep: "Read what the message says of the source; the claim is tried again by itself.",
  },
  VOLUME_ANSWER_UNUSABLE: {
    summary: "A driver made a volume that is not what it was asked for; it is deleted again.",
    nextStep: "Look at the driver's log; the claim is tried again by itself.",
  },
  VOLUME_NAME_TAKEN: {
    summary: "There is a PersistentVolume of the name that a new volume needs, and it is not for that volume.",
    nextStep:
      "Delete the PersistentVolume that the message names if nobody needs it; the claim is tried again by itself.",
  },
  VOLUME_STILL_ATTACHED: {
    summary: "A volume cannot be deleted while it is attached to a node.",
    nextStep: "Wait until its VolumeAttachment is gone; if it stays, look at the attacher and at the node.",
  },
  INTENT_JOURNAL_FULL: {
    summary: "So many volumes are under way at once that their list has no room for another.",
    nextStep:
      "Wait: the claim is tried again by itself. If it stays so, look for what keeps the driver from finishing.",
  },
  INTENT_JOURNAL_UNAVAILABLE: {
    summary: "The list of volumes under way cannot be read or written, so no volume can be begun.",
    nextStep: "Allow the sidecar what the message names, or switch durable intents off.",
  },
  INTENT_UNREADABLE: {
    summary: "An entry in the list of volumes under way cannot be read; a volume may be left over from it.",
    nextStep: "Look for a volume of that claim in the storage, delete it, then remove the entry from the ConfigMap.",
  },
  VOLUME_LEFT_BEHIND: {
    summary: "A volume whose claim is gone may exist, but the driver refuses to say so.",
    nextStep: "Look for the volume by its name in the storage, and delete it there if it exists.",
  },
  SNAPSHOT_CRDS_MISSING: {
    summary: "The API server does not have the resources of volume snapshots.",
    nextStep: "Install their CRDs, which come with Stowage: kubectl apply -f packages/sidecars/crds.",
  },
  SNAPSHOT_IMPOSSIBLE: {
    summary: "A snapshot cannot be taken as it was asked for.",
    nextStep: "Do what the message says about the claim, its volume or the snapshot class.",
  },
  SNAPSHOT_NOT_FOUND: {
    summary: "The driver does not have a snapshot that Kubernetes was told of.",
    nextStep: "Check the snapshot's id in the content against the storage system; a wrong one needs a new content.",
  },
  CAPACITY_OWNER_UNKNOWN: {
    summary: "Which object the CSIStorageCapacity objects belong to cannot be found out.",
    nextStep:
      "Set POD_NAME and NAMESPACE, and --capacity-ownerref-level to how many owners the Pod has, or to -1 for no owner.",
  },
  ASSET_INVALID: {
    summary: "A manifest or patch that an operator carries cannot be read.",
    nextStep:
      "Correct the file at the line that the message names; it is part of the operator, so report it if you did not.",
  },
  ASSET_PLACEHOLDER_UNRESOLVED: {
    summary: "A manifest still has a placeholder for which there is no value, so it was not sent.",
    nextStep:
      "Give the placeholder a value, often an image in the operator's environment or something not observed yet.",
  },
  CONFIG_OBSERVATION_FAILED: {
    summary: "An operator could not find out about the cluster's configuration, or could not write down what it found.",
    nextStep: "Read the message; what was observed before stays in force, and it is tried again by itself.",
  },
  CREDENTIALS_ENVIRONMENT_INCOMPLETE: {
    summary: "Only some of the variables by which the cloud's workload identity is used are set.",
    nextStep: "Set all of those that the message names on the operator's Subscription or Deployment, or none.",
  },
  HOOK_FAILED: {
    summary: "A step that prepares a manifest for this cluster failed, so the manifest was not sent.",
    nextStep: "Read the cause at the end of the message; the step is tried again by itself.",
  },
  OBJECT_BEING_DELETED: {
    summary: "An object has to be made anew, and the old one is still being deleted.",
    nextStep: "Wait; if it stays, look at the object's finalizers and at who should remove them.",
  },
  OBJECT_REFUSED: {
    summary: "An operator will not write an object because it contradicts itself.",
    nextStep: "Correct the object as the message says.",
  },
  OPERATOR_RESOURCE_MISSING: {
    summary: "The resource that an operator is configured by does not exist.",
    nextStep: "Create it, or restore it; the operator does nothing without it.",
  },
  CLUSTER_CONFIG_MISSING: {
    summary: "Something that an operator has to know of its cluster is not there.",
    nextStep:
      "Wait if the cluster is being installed; otherwise restore the object, or look at why it is not observed.",
  },
  WORKLOAD_NOT_STARTING: {
    summary: "The Pods of a Deployment do not start, or not all of them.",
    nextStep: "Read what the message says of the Pods: often an image cannot be pulled or no node has room.",
  },
  DRIVER_CONFIG_INVALID: {
    summary: "A ClusterCSIDriver asks for something that its driver does not offer.",
    nextStep: "Correct the field that the message names, or take it away.",
  },
  DRIVER_UNKNOWN: {
    summary: "There is no operator for a driver of this name.",
    nextStep: "Take one of those that the message lists.",
  },
  IMAGE_VARIABLE_MISSING: {
    summary: "An operator was not told which image to run.",
    nextStep: "Set the variable that the message names on the operator's Deployment.",
  },
  DRIVERS_NOT_STARTED: {
    summary: "The operators of several drivers could not be started.",
    nextStep: "Read what the message says of each; they are tried again by themselves.",
  },
  DRIVER_NOT_HOSTED: {
    summary: "A CSI driver does not run where the control plane is Pods of another cluster.",
    nextStep: "Leave --guest-kubeconfig out, and run the operator in the cluster that the driver is for.",
  },
  DRIVER_NOT_OURS: {
    summary: "There is a CSI driver of this name that somebody else has installed.",
    nextStep: "Remove the other driver before this one is enabled; volumes of the other must be gone by then.",
  },
  STATIC_RESOURCES_FAILED: {
    summary: "Some of an operator's objects could not be brought to what they should be.",
    nextStep: "Read what the message says of each; they are tried again by themselves.",
  },
  PAYLOAD_INVALID: {
    summary: "A release payload cannot be read or is not whole, so nothing of it was applied.",
    nextStep: "Correct the files that the message names; the payload is read again by itself.",
  },
  IMAGE_WITHOUT_TAG: {
    summary: "The images beside Stowage's own are found by its name and tag, and the name that was given has none.",
    nextStep: "Name the image with a tag, such as `registry.example.com/stowage:0.1.0`, and without a digest.",
  },
  UNINSTALL_IN_USE: {
    summary: "Volumes of drivers that are to be removed are left, and nobody could delete them afterwards.",
    nextStep: "Delete the claims, wait until their volumes are gone (`kubectl get pv`), and try again.",
  },
  UNINSTALL_OPERATOR_THERE: {
    summary:
      "A version operator that `stowage up` has not brought is still at work, and would bring back what is removed.",
    nextStep: "Remove it the way it was installed (`helm uninstall`, `kubectl delete -k`), and try again.",
  },
  CLUSTER_VERSION_NOT_OURS: {
    summary: "Another version operator keeps this cluster, as OpenShift's own does, so ours does not start.",
    nextStep:
      "Do not run Stowage's version operator here; on OpenShift the cluster's own applies the payload. If the other one is gone " +
      "for good, delete what the message names.",
  },
  RBAC_PROXY_MISCONFIGURED: {
    summary:
      "The proxy before a container's metrics was started with a flag or a configuration file that makes no sense.",
    nextStep: "Correct the flag or the field that the message names.",
  },
  RBAC_PROXY_FILE_UNUSABLE: {
    summary: "A certificate, key or configuration file of the proxy before a container's metrics cannot be used.",
    nextStep: "Look at the file that the message names, and at the Secret or ConfigMap that it is mounted from.",
  },
  CLOUD_CONFIG_INVALID: {
    summary: "The configuration or the credentials for the cloud cannot be used as they are.",
    nextStep: "Correct the ConfigMap or the Secret that the message names; it is read again when it changes.",
  },
  CLOUD_UNREACHABLE: {
    summary: "An API of the cloud does not answer, or not by a certificate that is trusted.",
    nextStep: "Look at the network, the proxy and the cloud's authority; it is tried again by itself.",
  },
  CLOUD_REFUSED: {
    summary: "An API of the cloud answered, and refused what it was asked.",
    nextStep: "Look at the rights of the cloud's user and at the service itself; it is tried again by itself.",
  },
  CLOUD_SERVICE_MISSING: {
    summary: "The cloud does not have a service that a driver is for.",
    nextStep: "Nothing to do where the service is not wanted; otherwise add it to the cloud, and it is found.",
  },
  CLOUD_SERVICE_EMPTY: {
    summary: "The cloud has the service that a driver is for, and the service offers nothing.",
    nextStep: "Have the cloud's administrator add what the message names; it is found within a minute.",
  },
  CLOUD_THROTTLED: {
    summary: "An API of the cloud asks for fewer requests, or is too busy to answer.",
    nextStep: "Nothing to do at first: requests become fewer by themselves. Otherwise run the command again later.",
  },
  CLOUD_NOT_YET: {
    summary: "What was asked for cannot be done in this cloud yet.",
    nextStep: "Do it with the cloud's own tools, by the marks that the message names.",
  },
  VOLUME_HELD: {
    summary: "A volume or a snapshot cannot be deleted as long as something in the cloud uses it.",
    nextStep: "Detach it, or delete what was made from it, and run the command again.",
  },
  STORE_UNUSABLE: {
    summary: "The file that holds the state of the embedded cluster cannot be used.",
    nextStep: "Keep the file, and start from a saved copy of it or from an empty data directory.",
  },
  STORE_DAMAGED: {
    summary: "The file that holds the state of the embedded cluster is not whole, or is none.",
    nextStep: "Restore a saved state (`stowage state restore`), or begin anew on purpose (`stowage state discard`).",
  },
  STORE_NOT_WRITTEN: {
    summary: "A change could not be written to the state of the embedded cluster, and has not happened.",
    nextStep: "Make room on the disk, or see why it cannot be written to, and try again; reads go on meanwhile.",
  },
  GATHER_FOLDER_UNUSABLE: {
    summary: "What is gathered of a cluster cannot be written into the folder.",
    nextStep: "Name a folder that does not exist yet, or is empty, on a disk with room.",
  },
  STATE_FILE_UNUSABLE: {
    summary: "A file cannot be restored as the state of the embedded cluster, or the state cannot be saved to it.",
    nextStep: "Name a file that `stowage state save` has made; and to save, one that is not there yet.",
  },
  TRACE_FILE_UNUSABLE: {
    summary: "The time line of a volume cannot be written to the file.",
    nextStep: "Name a file in a folder that is there and may be written to, or leave `--file` out.",
  },
  TRACE_NOTHING_KNOWN: {
    summary: "There is no such claim, and the cluster has no event of one that is gone.",
    nextStep: "Look with `kubectl get pvc -A` for the claim and its namespace. Events are kept for an hour by default.",
  },
  UP_ROOT_WITHOUT_MOUNTS: {
    summary: "Root may not mount anything here, as in a container without privileges.",
    nextStep:
      "Start it as a user that is not root (`docker run --user node`), or let the container mount (`--privileged`).",
  },
  UP_PORT_IN_USE: {
    summary: "The port that the API server of `stowage up` is to have belongs to another program.",
    nextStep: "Give it another one with `--port`, or stop the program that has it (`ss -ltnp` tells which).",
  },
  UP_DISK_FULL: {
    summary: "There is too little room on the disk that the embedded cluster is kept on.",
    nextStep: "Make room there, or give the cluster another place with `--state-dir`.",
  },
  UP_FORBIDDEN: {
    summary: "The user of the kubeconfig may not do what an installation needs.",
    nextStep: "Use a kubeconfig of an administrator of the cluster; `kubectl auth whoami` tells whose this one is.",
  },
  UP_OPTIONS: {
    summary: "The options of `stowage up` do not go together.",
    nextStep: "`stowage up --help` tells what each is for.",
  },
  UP_UNCONFIRMED: {
    summary: "A cluster is changed only when somebody agrees, and there is nobody to ask.",
    nextStep: "Look at what would be done with `--dry-run`, then say `--yes`.",
  },
  UP_OTHER_PLATFORM: {
    summary: "The cluster of this state directory was begun on another platform.",
    nextStep: "Give this one a `--state-dir` of its own, or remove the other with `stowage reset`.",
  },
  UP_OTHER_CONTROL_PLANE: {
    summary: "The cluster of this state directory was begun with another control plane.",
    nextStep: "Give this one a `--state-dir` of its own, or remove the other with `stowage reset`.",
  },
  UP_CONTROL_PLANE: {
    summary: "The real Kubernetes could not be built, started or stopped.",
    nextStep: "Start it again: what has been built is kept. `lab/README.md` tells what building needs.",
  },
  UP_NO_LAB: {
    summary: "The real Kubernetes is built from files that only a checkout has.",
    nextStep: "Run `npm start -- --control-plane kubernetes` in a checkout, or leave `--control-plane` out.",
  },
  UP_PATH_TOO_LONG: {
    summary: "The state directory lies so deep that its database or its sockets could not be opened.",
    nextStep: "Give the cluster another place with `--state-dir`, such as a folder in your home.",
  },
  UP_RUNNING: {
    summary: "The cluster of this state directory runs already.",
    nextStep: "Use it, stop it with `stowage down`, or give this one a `--state-dir` of its own.",
  },
  UP_TIMED_OUT: {
    summary: "The embedded cluster did not come so far that a volume could be used in time.",
    nextStep:
      "Start it again with `--log-level info`; `kubectl get pods,events --all-namespaces` tells what it waits for.",
  },
  STORE_IN_USE: {
    summary: "The data directory of the embedded cluster is used by a server that runs.",
    nextStep: "Stop that server, or give this one a data directory of its own.",
  },
  CREDENTIALS_UNUSABLE: {
    summary: "A key or a list of tokens that the embedded API server was given cannot be used.",
    nextStep:
      'Give it a private key in PEM, RSA or EC on P-256, P-384 or P-521; and tokens as token,user,uid,"groups".',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof errorCatalogue;
