// The OTLP receiver of OpenTelemetry's collector, alone: what it takes is written to standard output, a line of its own JSON each,
// after the address that it listens at.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/config/configgrpc"
	"go.opentelemetry.io/collector/config/confighttp"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/pdata/pmetric"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.opentelemetry.io/collector/receiver/receivertest"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	var writing sync.Mutex
	say := func(kind string, line []byte) {
		writing.Lock()
		defer writing.Unlock()
		fmt.Printf("%s %s\n", kind, line)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	address := taken.Addr().String()
	must(taken.Close())

	factory := otlpreceiver.NewFactory()
	config := factory.CreateDefaultConfig().(*otlpreceiver.Config)
	config.GRPC = configoptional.None[configgrpc.ServerConfig]()
	server := confighttp.NewDefaultServerConfig()
	server.NetAddr.Endpoint = address
	config.HTTP = configoptional.Some(otlpreceiver.HTTPConfig{ServerConfig: server, TracesURLPath: "/v1/traces", MetricsURLPath: "/v1/metrics", LogsURLPath: "/v1/logs"})

	traces, err := consumer.NewTraces(func(_ context.Context, all ptrace.Traces) error {
		line, err := (&ptrace.JSONMarshaler{}).MarshalTraces(all)
		say("traces", line)
		return err
	})
	must(err)
	metrics, err := consumer.NewMetrics(func(_ context.Context, all pmetric.Metrics) error {
		line, err := (&pmetric.JSONMarshaler{}).MarshalMetrics(all)
		say("metrics", line)
		return err
	})
	must(err)
	settings := receivertest.NewNopSettings(factory.Type())
	of_traces, err := factory.CreateTraces(context.Background(), settings, config, traces)
	must(err)
	of_metrics, err := factory.CreateMetrics(context.Background(), settings, config, metrics)
	must(err)
	must(of_traces.Start(context.Background(), componenttest.NewNopHost()))
	must(of_metrics.Start(context.Background(), componenttest.NewNopHost()))
	say("listening", []byte("http://"+address))
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, os.Interrupt)
	<-stop
}
