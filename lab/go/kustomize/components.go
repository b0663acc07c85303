//go:build tools

// Package kustomize pins the kustomize that renders the base in tests.
package kustomize

import _ "sigs.k8s.io/kustomize/kustomize/v5"
