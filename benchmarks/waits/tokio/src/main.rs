// benchmarks: waiting with tokio's runtime of one thread.
use std::alloc::{GlobalAlloc, Layout, System};
use std::env::args;
use std::future::Future;
use std::hint::black_box;
use std::process::exit;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, oneshot};
use tokio::task::yield_now;
use tokio::time::timeout;

// Counted, and else the system's.
struct Counting;
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static BYTES: AtomicU64 = AtomicU64::new(0);

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        let memory = System.alloc(layout);
        BYTES.fetch_add(libc::malloc_usable_size(memory.cast()) as u64 + HEADER, Relaxed);
        memory
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        BYTES.fetch_sub(libc::malloc_usable_size(memory.cast()) as u64 + HEADER, Relaxed);
        System.dealloc(memory, layout)
    }
}

// malloc's own, as mallinfo counts it for the programs in C++.
const HEADER: u64 = 8;

#[global_allocator]
static COUNTING: Counting = Counting;

#[inline(never)]
async fn at_once(number: u64) -> u64 {
    black_box(number) + 1
}

async fn null(count: u64) -> u64 {
    let mut sum = 0;
    for i in 0..count {
        sum += at_once(i).await;
    }
    sum
}

async fn ready(count: u64) -> u64 {
    let mut sum = 0;
    for i in 0..count {
        let (event, occurred) = oneshot::channel();
        event.send(i).unwrap();
        sum += occurred.await.unwrap();
    }
    sum
}

// tokio counts time in milliseconds, and a sleep of 0 does not wait: the way to the next turn is this.
async fn timer0(count: u64) -> u64 {
    let mut sum = 0;
    for i in 0..count {
        yield_now().await;
        sum += i;
    }
    sum
}

async fn forked(count: u64) -> u64 {
    let joins = tokio::spawn(async move {
        let mut sum = 0;
        for i in 0..count {
            sum += tokio::spawn(async move { black_box(i) }).await.unwrap();
        }
        sum
    });
    joins.await.unwrap()
}

async fn elsewhere(count: u64) -> u64 {
    let mut sum = 0;
    for i in 0..count {
        sum += tokio::task::spawn_blocking(move || black_box(i)).await.unwrap();
    }
    sum
}

type Answers = mpsc::UnboundedSender<oneshot::Sender<u64>>;

#[inline(never)]
async fn child(outside: Answers) -> u64 {
    let (event, occurred) = oneshot::channel();
    outside.send(event).unwrap();
    occurred.await.unwrap()
}

async fn fork_join(count: u64) -> u64 {
    let (outside, mut asked) = mpsc::unbounded_channel();
    let joins = tokio::spawn(async move {
        let mut sum = 0;
        for _ in 0..count {
            sum += tokio::spawn(child(outside.clone())).await.unwrap();
        }
        sum
    });
    answer_each(count, &mut asked).await;
    joins.await.unwrap()
}

async fn answer_each(count: u64, asked: &mut mpsc::UnboundedReceiver<oneshot::Sender<u64>>) {
    for i in 0..count {
        asked.recv().await.unwrap().send(i).unwrap();
    }
}

async fn limit_each(count: u64) -> u64 {
    let (outside, mut asked) = mpsc::unbounded_channel();
    let waits = tokio::spawn(async move {
        let mut sum = 0;
        for _ in 0..count {
            let (event, occurred) = oneshot::channel();
            outside.send(event).unwrap();
            sum += timeout(Duration::from_secs(10), occurred).await.unwrap().unwrap();
        }
        sum
    });
    answer_each(count, &mut asked).await;
    waits.await.unwrap()
}

fn cpu_ns() -> f64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut now) };
    now.tv_sec as f64 * 1e9 + now.tv_nsec as f64
}

// turn: how many tasks run before it looks at the descriptors.
fn runtime(turn: u32) -> Runtime {
    Builder::new_current_thread().enable_all().event_interval(turn).build().unwrap()
}
const USUAL_TURN: u32 = 61; // tokio's own

fn measure<Case: Future<Output = u64>>(name: &str, asked: &str, count: u64, case: impl Fn(u64) -> Case) -> bool {
    if asked != "all" && asked != name {
        return false;
    }
    let loop_ = runtime(if name == "timer0" { 1 } else { USUAL_TURN });
    loop_.block_on(case(10));
    let (allocated, start) = (ALLOCATIONS.load(Relaxed), cpu_ns());
    let digest = loop_.block_on(case(count));
    println!("{name} {:.3} ns {digest:x}", (cpu_ns() - start) / count as f64);
    println!("{name} {:.3} allocations", (ALLOCATIONS.load(Relaxed) - allocated) as f64 / count as f64);
    true
}

fn tell_blocked() {
    const TASKS: u64 = 100000;
    let loop_ = runtime(USUAL_TURN);
    loop_.block_on(async {
        let mut never: Vec<oneshot::Sender<u64>> = Vec::with_capacity(TASKS as usize);
        let before = BYTES.load(Relaxed);
        for _ in 0..TASKS {
            let (event, occurred) = oneshot::channel();
            never.push(event);
            tokio::spawn(async move { occurred.await.is_ok() });
        }
        yield_now().await;
        println!("blocked {:.1} bytes", (BYTES.load(Relaxed) - before) as f64 / TASKS as f64);
    });
}

fn main() {
    let words: Vec<String> = args().collect();
    let count = words.get(2).and_then(|word| word.parse().ok());
    let (asked, count) = match (words.get(1), count, words.len()) {
        (Some(asked), Some(count), 3) => (asked.as_str(), count),
        _ => {
            eprintln!("usage: {} CASE|all COUNT", words[0]);
            exit(2)
        }
    };
    let mut found = measure("null", asked, count, null);
    found |= measure("ready", asked, count, ready);
    found |= measure("timer0", asked, count, timer0);
    found |= measure("fork-join", asked, count, fork_join);
    found |= measure("timeout", asked, count, limit_each);
    found |= measure("thread", asked, count, forked);
    found |= measure("elsewhere", asked, count, elsewhere);
    if asked == "all" || asked == "blocked" {
        tell_blocked();
        found = true;
    }
    if !found {
        eprintln!("{}: there is no case {asked}", words[0]);
        exit(2)
    }
}
