//! What a process leaves behind when an allocation fails or a stack overflows. Each case runs in a
//! process of its own: this test program again, with a variable that says what to do.
#![cfg(unix)]

use std::process::Command;
use std::time::{Duration, Instant};
use symbolon_process::{
    AbortCause, abort_cause, answer_for_others, begin_answer, install_abort_handler, prepare_answer,
};

const CASE: &str = "SYMBOLON_ABORT_CASE";

/// What a child printed on standard output from `answer:` on, and how it ended.
fn run(case: &str) -> (String, Option<i32>, Duration) {
    let start = Instant::now();
    let output = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "the_child", "--nocapture"])
        .env(CASE, case)
        .env_remove("RUST_BACKTRACE")
        .output()
        .expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let answer = text.find("answer:").map_or(String::new(), |start| text[start..].to_string());
    (answer, output.status.code(), start.elapsed())
}

fn fail_to_allocate() {
    let size = std::hint::black_box(isize::MAX as usize - 4096);
    println!("{}", std::hint::black_box(vec![1_u8; size]).len());
}

fn depth(number: u64) -> u64 {
    let page = std::hint::black_box([number; 512]);
    if number == 0 { 0 } else { depth(std::hint::black_box(number - 1)) + page[7] }
}

fn overflow_a_stack() {
    println!("{}", depth(std::hint::black_box(100_000_000)));
}

/// Looks until it has to answer.
fn answering_thread(answers: impl FnOnce(AbortCause) + Send + 'static) {
    let (ready, is_ready) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        answer_for_others();
        ready.send(()).expect("the other waits");
        loop {
            std::thread::sleep(Duration::from_millis(5));
            if let Some(cause) = abort_cause() {
                return answers(cause);
            }
        }
    });
    is_ready.recv().expect("it starts");
}

fn answer(cause: AbortCause) {
    assert!(begin_answer(7));
    print!("answer: of a thread, {cause:?}");
    std::process::exit(7);
}

/// Not a test of its own: what the children do.
#[test]
fn the_child() {
    let Ok(case) = std::env::var(CASE) else { return };
    install_abort_handler();
    prepare_answer(b"answer: prepared", 3);
    match case.as_str() {
        "memory" => fail_to_allocate(),
        "stack" => overflow_a_stack(),
        "thread memory" => {
            answering_thread(answer);
            fail_to_allocate();
        }
        "thread stack" => {
            answering_thread(answer);
            overflow_a_stack();
        }
        // The answering thread fails itself.
        "thread fails" => {
            answering_thread(|_| fail_to_allocate());
            fail_to_allocate();
        }
        // The answering thread never comes back.
        "thread hangs" => {
            answering_thread(|_| {
                loop {
                    std::thread::park();
                }
            });
            fail_to_allocate();
        }
        "answered" => {
            assert!(begin_answer(1));
            print!("answer: whole");
            std::io::Write::flush(&mut std::io::stdout()).expect("standard output");
            fail_to_allocate();
        }
        "outside" => {
            let status = Command::new("kill").args(["-ABRT", &std::process::id().to_string()]).status();
            println!("{status:?}");
            std::thread::sleep(Duration::from_secs(5));
        }
        other => panic!("unknown case '{other}'"),
    }
}

#[test]
fn aborts_become_answers() {
    for (case, text, status) in [
        ("memory", "answer: prepared", Some(3)),
        ("stack", "answer: prepared", Some(3)),
        ("thread memory", "answer: of a thread, Memory", Some(7)),
        ("thread stack", "answer: of a thread, Stack", Some(7)),
        ("thread fails", "answer: prepared", Some(3)),
        ("thread hangs", "answer: prepared", Some(3)),
        ("answered", "answer: whole", Some(1)),
        ("outside", "", None),
    ] {
        let (answer, code, time) = run(case);
        assert_eq!((answer.as_str(), code), (text, status), "{case}");
        assert!(time < Duration::from_secs(60), "{case}: {time:?}");
    }
}
