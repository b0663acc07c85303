module stowage/lab/pause

go 1.26
