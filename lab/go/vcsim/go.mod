module stowage/lab/vcsim

go 1.26

require github.com/vmware/govmomi v0.52.0

require (
	github.com/google/uuid v1.6.0 // indirect
	golang.org/x/text v0.28.0 // indirect
)
