//! How long writes take. The figures are printed; the bounds are generous because test machines are busy.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

use lantern_engine::Engine;

use crate::support::{connect, documents, options, prepared, succeed, total};

/// One write after the other, each awaited to its outcome, and then to its acceptance only.
#[tokio::test(flavor = "multi_thread")]
async fn single_writes_are_quick() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open(options(folder.path())).unwrap();
    let client = connect(&engine);
    let index = prepared(&client, "quick", 5000).await;
    let mut times = Vec::new();
    for id in 0..30 {
        let started = Instant::now();
        succeed(&client, index.add_documents(&documents(id * 3..id * 3 + 1), None).await).await;
        times.push(started.elapsed());
    }
    times.sort_unstable();
    println!("one document into 5,000: median {:?}, slowest {:?}", times[15], times[29]);
    assert!(times[15] < Duration::from_millis(500), "{times:?}");

    let started = Instant::now();
    let mut last = None;
    for id in 0..1000 {
        last = Some(index.add_documents(&documents(10_000 + id..10_001 + id), None).await);
    }
    succeed(&client, last.unwrap()).await;
    let singly = started.elapsed();
    let started = Instant::now();
    succeed(&client, index.add_documents(&documents(20_000..21_000), None).await).await;
    let together = started.elapsed();
    let syncs = bare_syncs(folder.path());
    println!(
        "1,000 documents: one by one {singly:?} (of which 1,000 syncs of the disk take {syncs:?}), together {together:?}: {:.1} times",
        singly.as_secs_f64() / together.as_secs_f64()
    );
    assert!(singly < 30 * (together + syncs), "{singly:?}");
    assert_eq!(total(&index).await, 7000);
}

/// What the disk alone takes for as many durable writes.
fn bare_syncs(folder: &Path) -> Duration {
    let file = File::create(folder.join("syncs")).unwrap();
    file.write_all_at(&[0; 1 << 20], 0).unwrap();
    file.sync_all().unwrap();
    let started = Instant::now();
    for write in 0..1000 {
        file.write_all_at(&[1; 500], write * 500).unwrap();
        file.sync_data().unwrap();
    }
    started.elapsed()
}
