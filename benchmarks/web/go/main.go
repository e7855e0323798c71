// benchmarks: a web server for one file on Go's net/http, the file's bytes in memory
package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
)

func main() {
	if len(os.Args) != 3 {
		os.Exit(2)
	}
	body, err := os.ReadFile(os.Args[2])
	if err != nil {
		panic(err)
	}
	path := "/" + filepath.Base(os.Args[2])
	size := []string{strconv.Itoa(len(body))}
	kind := []string{"text/html"}
	// http.FileServer would open and stat the file for each request; the others don't.
	answer := func(out http.ResponseWriter, request *http.Request) {
		if request.URL.Path != path {
			out.Header()["Content-Length"] = []string{"0"}
			out.WriteHeader(http.StatusNotFound)
			return
		}
		out.Header()["Content-Type"] = kind
		out.Header()["Content-Length"] = size
		out.Write(body)
	}
	panic(http.ListenAndServe("127.0.0.1:"+os.Args[1], http.HandlerFunc(answer)))
}
