// benchmarks: waiting with goroutines on one processor, as all others run on one.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

//go:noinline
func atOnce(number uint64) uint64 { return number + 1 }

func null(count uint64) uint64 {
	sum := uint64(0)
	for i := uint64(0); i < count; i++ {
		sum += atOnce(i)
	}
	return sum
}

//go:noinline
func simple(number uint64) uint64 { return number }

func function(count uint64) uint64 {
	sum := uint64(0)
	for i := uint64(0); i < count; i++ {
		sum += simple(i)
	}
	return sum
}

func allocation(count uint64) uint64 {
	sum := uint64(0)
	for i := uint64(0); i < count; i++ {
		sum += *onHeap(i)
	}
	return sum
}

//go:noinline
func onHeap(number uint64) *uint64 { return &number }

func thread(count uint64) uint64 {
	sum := uint64(0)
	result := make(chan uint64)
	for i := uint64(0); i < count; i++ {
		go func() { result <- i }()
		sum += <-result
	}
	return sum
}

func ready(count uint64) uint64 {
	sum := uint64(0)
	for i := uint64(0); i < count; i++ {
		event := make(chan uint64, 1)
		event <- i
		sum += <-event
	}
	return sum
}

// A sleep of 0 does not let go of the processor; the shortest that does.
func timer0(count uint64) uint64 {
	sum := uint64(0)
	for i := uint64(0); i < count; i++ {
		time.Sleep(1)
		sum += i
	}
	return sum
}

func child(outside chan uint64, result chan uint64) { result <- <-outside }

func joinEach(count uint64, outside chan uint64, done chan uint64) {
	sum := uint64(0)
	for i := uint64(0); i < count; i++ {
		result := make(chan uint64)
		go child(outside, result)
		sum += <-result
	}
	done <- sum
}

func forkJoin(count uint64) uint64 {
	outside, done := make(chan uint64), make(chan uint64)
	go joinEach(count, outside, done)
	for i := uint64(0); i < count; i++ {
		outside <- i
	}
	return <-done
}

func limitEach(count uint64, answer chan uint64, done chan uint64) {
	sum := uint64(0)
	for i := uint64(0); i < count; i++ {
		limit := time.NewTimer(10 * time.Second)
		select {
		case number := <-answer:
			sum += number
		case <-limit.C:
		}
		limit.Stop()
	}
	done <- sum
}

func timeout(count uint64) uint64 {
	answer, done := make(chan uint64), make(chan uint64)
	go limitEach(count, answer, done)
	for i := uint64(0); i < count; i++ {
		answer <- i
	}
	return <-done
}

func cpuNs() float64 {
	const processCpuTime = 2
	var now syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, processCpuTime, uintptr(unsafe.Pointer(&now)), 0)
	return float64(now.Nano())
}

func allocations() uint64 {
	var all runtime.MemStats
	runtime.ReadMemStats(&all)
	return all.Mallocs
}

func resident() float64 {
	status, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		panic(err)
	}
	pages, err := strconv.ParseFloat(strings.Fields(string(status))[1], 64)
	if err != nil {
		panic(err)
	}
	return pages * float64(os.Getpagesize())
}

func tellBlocked() {
	const tasks = 100000
	never := make(chan uint64)
	before := resident()
	for i := 0; i < tasks; i++ {
		go func() { <-never }()
	}
	runtime.Gosched()
	fmt.Printf("blocked %.1f bytes\n", (resident()-before)/tasks)
}

func main() {
	runtime.GOMAXPROCS(1)
	if len(os.Args) != 3 {
		fmt.Fprintf(os.Stderr, "usage: %s CASE|all COUNT\n", os.Args[0])
		os.Exit(2)
	}
	count, err := strconv.ParseUint(os.Args[2], 10, 64)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	cases := []struct {
		name string
		run  func(uint64) uint64
	}{{"null", null}, {"ready", ready}, {"timer0", timer0}, {"fork-join", forkJoin}, {"timeout", timeout},
		{"function", function}, {"allocation", allocation}, {"thread", thread}}
	for _, one := range cases {
		if os.Args[1] != "all" && os.Args[1] != one.name {
			continue
		}
		one.run(10)
		allocated, start := allocations(), cpuNs()
		digest := one.run(count)
		fmt.Printf("%s %.3f ns %x\n", one.name, (cpuNs()-start)/float64(count), digest)
		fmt.Printf("%s %.3f allocations\n", one.name, float64(allocations()-allocated)/float64(count))
	}
	if os.Args[1] == "all" || os.Args[1] == "blocked" {
		tellBlocked()
	}
}
