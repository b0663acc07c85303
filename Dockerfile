# Generated from scripts/image/image-table.ts by `npm run generate`. Do not edit.
# The same images as `npm run image` writes, of Debian's programs:
#   docker build --target kube-rbac-proxy --tag registry.example.com/stowage/kube-rbac-proxy:TAG .
ARG NODE_IMAGE=node:24.21.0-bookworm-slim
FROM $NODE_IMAGE AS build
RUN apt-get update \
  && apt-get install --yes --no-install-recommends btrfs-progs coreutils dash debianutils e2fsprogs mount util-linux xfsprogs \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY . .
RUN npm run image -- --root /image

FROM scratch AS files
COPY --from=build /image/ /
ENV PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" \
    HOME="/" \
    MALLOC_ARENA_MAX="2" \
    MALLOC_MMAP_THRESHOLD_="32768" \
    MALLOC_TRIM_THRESHOLD_="131072"
WORKDIR /

FROM files AS kube-rbac-proxy
LABEL org.opencontainers.image.title="kube-rbac-proxy" \
      org.opencontainers.image.description="Storage for Kubernetes and OpenShift: Stowage" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="0.1.0"
USER 65532
ENTRYPOINT ["stowage","rbac-proxy"]

FROM files AS csi-external-provisioner
LABEL org.opencontainers.image.title="csi-external-provisioner" \
      org.opencontainers.image.description="Storage for Kubernetes and OpenShift: Stowage" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="0.1.0"
USER 0
ENTRYPOINT ["stowage","sidecar","provisioner"]

FROM files AS csi-external-attacher
LABEL org.opencontainers.image.title="csi-external-attacher" \
      org.opencontainers.image.description="Storage for Kubernetes and OpenShift: Stowage" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="0.1.0"
USER 0
ENTRYPOINT ["stowage","sidecar","attacher"]

FROM files AS csi-external-resizer
LABEL org.opencontainers.image.title="csi-external-resizer" \
      org.opencontainers.image.description="Storage for Kubernetes and OpenShift: Stowage" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="0.1.0"
USER 0
ENTRYPOINT ["stowage","sidecar","resizer"]

FROM files AS csi-external-snapshotter
LABEL org.opencontainers.image.title="csi-external-snapshotter" \
      org.opencontainers.image.description="Storage for Kubernetes and OpenShift: Stowage" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="0.1.0"
USER 0
ENTRYPOINT ["stowage","sidecar","snapshotter"]

FROM files AS csi-snapshot-controller
LABEL org.opencontainers.image.title="csi-snapshot-controller" \
      org.opencontainers.image.description="Storage for Kubernetes and OpenShift: Stowage" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="0.1.0"
USER 0
ENTRYPOINT ["stowage","sidecar","snapshot-controller"]

FROM files AS csi-node-driver-registrar
LABEL org.opencontainers.image.title="csi-node-driver-registrar" \
      org.opencontainers.image.description="Storage for Kubernetes and OpenShift: Stowage" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="0.1.0"
USER 0
ENTRYPOINT ["stowage","sidecar","registrar"]

FROM files AS csi-livenessprobe
LABEL org.opencontainers.image.title="csi-livenessprobe" \
      org.opencontainers.image.description="Storage for Kubernetes and OpenShift: Stowage" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="0.1.0"
USER 0
ENTRYPOINT ["stowage","sidecar","livenessprobe"]

FROM files AS csi-sidecars
LABEL org.opencontainers.image.title="csi-sidecars" \
      org.opencontainers.image.description="Storage for Kubernetes and OpenShift: Stowage" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="0.1.0"
USER 0
ENTRYPOINT ["stowage","sidecars"]

FROM files AS stowage
LABEL org.opencontainers.image.title="stowage" \
      org.opencontainers.image.description="Storage for Kubernetes and OpenShift: Stowage" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="0.1.0"
USER 65532
ENTRYPOINT ["stowage"]
