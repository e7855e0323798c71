// benchmarks: a web server for one file on hyper and tokio's one-threaded runtime, the file's bytes in memory
use std::convert::Infallible;

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{HeaderValue, CONTENT_TYPE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{body::Incoming, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

fn answer(request: &Request<Incoming>, path: &str, body: &Bytes) -> Response<Full<Bytes>> {
    if request.uri().path() != path {
        let mut missing = Response::new(Full::new(Bytes::new()));
        *missing.status_mut() = StatusCode::NOT_FOUND;
        return missing;
    }
    let mut found = Response::new(Full::new(body.clone()));
    found.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html"));
    found
}

async fn serve(port: u16, path: &'static str, body: &'static Bytes) -> std::io::Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        tokio::spawn(async move {
            let service = service_fn(move |request| async move { Ok::<_, Infallible>(answer(&request, path, body)) });
            // A connection that ends in the middle of something is no error of the server's.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().collect();
    let [_, port, file] = words.as_slice() else {
        std::process::exit(2);
    };
    let port = port.parse().expect("a port");
    let body: &'static Bytes = Box::leak(Box::new(Bytes::from(std::fs::read(file)?)));
    let name = std::path::Path::new(file).file_name().expect("a file's name").to_string_lossy();
    let path: &'static str = Box::leak(format!("/{name}").into_boxed_str());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    runtime.block_on(serve(port, path, body))
}
