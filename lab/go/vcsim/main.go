// Command vcsim serves VMware's simulator of vCenter, with its tags and storage policies, and says where in its first line.
// The simulator is somebody else's; here is only what tests have to choose: how old everything is, and who may come in.
package main

import (
	"crypto/tls"
	"flag"
	"fmt"
	"log"
	"net/url"
	"os"
	"os/signal"
	"syscall"

	_ "github.com/vmware/govmomi/pbm/simulator"
	"github.com/vmware/govmomi/simulator"
	_ "github.com/vmware/govmomi/vapi/simulator"
)

type versions struct {
	vcenter, host, hardware string
}

func main() {
	var old versions
	flag.StringVar(&old.vcenter, "vcenter-version", "8.0.2.0", "of vCenter's API")
	flag.StringVar(&old.host, "host-version", "8.0.2.0", "of the hosts' API")
	flag.StringVar(&old.hardware, "hardware-version", "vmx-19", "of the virtual machines")
	datastores := flag.Int("datastores", 2, "how many each datacenter has")
	flag.Parse()

	model := simulator.VPX()
	model.Datastore = *datastores
	model.ServiceContent.About.Version = old.vcenter
	model.ServiceContent.About.ApiVersion = old.vcenter
	// Its datastores are folders, which stay behind otherwise.
	defer model.Remove()
	if err := model.Create(); err != nil {
		log.Panic(err)
	}
	age(model.Map(), old)

	model.Service.TLS = new(tls.Config)
	model.Service.RegisterEndpoints = true
	model.Service.Listen = &url.URL{Host: "127.0.0.1:0", User: login()}
	server := model.Service.NewServer()
	defer server.Close()
	fmt.Printf("https://%s/sdk\n", server.URL.Host)

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	<-stop
}

// In the environment, since everybody sees arguments. Without, whoever names himself may come in.
func login() *url.Userinfo {
	if user := os.Getenv("VCSIM_USER"); user != "" {
		return url.UserPassword(user, os.Getenv("VCSIM_PASSWORD"))
	}
	return nil
}

func age(inventory *simulator.Registry, old versions) {
	for _, entity := range inventory.All("HostSystem") {
		entity.(*simulator.HostSystem).Config.Product.ApiVersion = old.host
	}
	for _, entity := range inventory.All("VirtualMachine") {
		entity.(*simulator.VirtualMachine).Config.Version = old.hardware
	}
}
