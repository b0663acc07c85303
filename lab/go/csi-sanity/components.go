//go:build tools

// Package csisanity pins the CSI conformance suite that the lab builds.
package csisanity

import _ "github.com/kubernetes-csi/csi-test/v5/cmd/csi-sanity"
