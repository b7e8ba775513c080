// Reads dashboards as Grafana's own types have them, strictly: a member that is unknown, missing or of another kind is an error.
package main

import (
	"fmt"
	"os"

	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

func main() {
	plugins.RegisterDefaultPlugins()
	status := 0
	for _, path := range os.Args[1:] {
		text, err := os.ReadFile(path)
		var read dashboard.Dashboard
		if err == nil {
			err = read.UnmarshalJSONStrict(text)
		}
		if err == nil {
			err = read.Validate()
		}
		// A list of no errors is an error of that library's, too.
		if err != nil && err.Error() != "" {
			fmt.Fprintf(os.Stderr, "%s: %v\n", path, err)
			status = 1
		}
	}
	os.Exit(status)
}
