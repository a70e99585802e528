//! Concurrent COPY into many tables. Each table has its own connection and task, and the generator thread feeds them
//! all.
//!
//! Triggers and foreign-key checks are disabled in these sessions (`session_replication_role = replica`). Secondary
//! indexes are dropped beforehand and rebuilt afterwards, in the table's own transaction.

use sqlx::{AssertSqlSafe, Connection, PgConnection, postgres::PgConnectOptions};
use time::OffsetDateTime;
use tokio::{sync::mpsc, task::JoinSet};

use crate::{Error, Result};

/// Size in bytes of a message to a table's task.
const CHUNK: usize = 256 * 1024;

/// Means that the table's task ended early. The reason is in the task's own error.
#[derive(Debug)]
pub(super) struct EarlyEnd;

/// Opens tables and waits until they are complete.
pub(super) struct Loader {
    options: PgConnectOptions,
    tasks: JoinSet<Result<()>>,
}

impl Loader {
    pub(super) fn new(options: PgConnectOptions) -> Self {
        Self { options, tasks: JoinSet::new() }
    }

    /// Starts a COPY into `table`.
    pub(super) fn open(&mut self, table: &'static str, columns: &'static str) -> Writer {
        let (chunks, received) = mpsc::channel(4);
        self.tasks.spawn(copy(self.options.clone(), table, columns, received));
        Writer { chunks, buffer: Vec::with_capacity(CHUNK + 4096), start_of_row: true, rows: 0 }
    }

    /// Waits until every table is committed. Returns the first error.
    pub(super) async fn finish(mut self) -> Result<()> {
        while let Some(done) = self.tasks.join_next().await {
            done.map_err(|e| Error::Seed(format!("loading was interrupted: {e}")))??;
        }
        Ok(())
    }
}

async fn copy(
    options: PgConnectOptions,
    table: &'static str,
    columns: &'static str,
    mut chunks: mpsc::Receiver<Vec<u8>>,
) -> Result<()> {
    let mut conn = PgConnection::connect_with(&options).await?;
    let mut tx = conn.begin().await?;
    sqlx::raw_sql(
        "set local session_replication_role = replica; set local synchronous_commit = off;
         set local maintenance_work_mem = '192MB'; set local max_parallel_maintenance_workers = 0",
    )
    .execute(&mut *tx)
    .await
    .map_err(|e| Error::Seed(format!("demo data needs a superuser role on this Postgres server ({e})")))?;
    let indexes = drop_indexes(&mut tx, table).await?;
    let mut sink = tx.copy_in_raw(&format!("copy {table} ({columns}) from stdin")).await?;
    while let Some(chunk) = chunks.recv().await {
        sink.send(chunk).await?;
    }
    sink.finish().await?;
    for definition in indexes {
        sqlx::raw_sql(AssertSqlSafe(definition)).execute(&mut *tx).await?;
    }
    tx.commit().await?;
    conn.close().await?;
    Ok(())
}

/// Drops the indexes that don't belong to a constraint and returns their definitions.
async fn drop_indexes(conn: &mut PgConnection, table: &str) -> Result<Vec<String>> {
    let query = sqlx::query!(
        r#"select c.relname as "name!", pg_get_indexdef(i.indexrelid) as "definition!"
           from pg_index i join pg_class c on c.oid = i.indexrelid
           where i.indrelid = $1::text::regclass
             and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
           order by c.relname"#,
        table
    );
    let found = query.fetch_all(&mut *conn).await?;
    let mut definitions = Vec::with_capacity(found.len());
    for index in found {
        sqlx::raw_sql(AssertSqlSafe(format!("drop index {}", index.name))).execute(&mut *conn).await?;
        definitions.push(index.definition);
    }
    Ok(definitions)
}

/// Writes rows in the text format of COPY. Dropping the writer ends the table.
pub(super) struct Writer {
    chunks: mpsc::Sender<Vec<u8>>,
    buffer: Vec<u8>,
    start_of_row: bool,
    pub(super) rows: i64,
}

impl Writer {
    fn separate(&mut self) {
        if !self.start_of_row {
            self.buffer.push(b'\t');
        }
        self.start_of_row = false;
    }

    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        self.separate();
        for byte in text.bytes() {
            match byte {
                b'\\' => self.buffer.extend(b"\\\\"),
                b'\t' => self.buffer.extend(b"\\t"),
                b'\n' => self.buffer.extend(b"\\n"),
                b'\r' => self.buffer.extend(b"\\r"),
                other => self.buffer.push(other),
            }
        }
        self
    }

    pub(super) fn int(&mut self, number: impl Into<i64>) -> &mut Self {
        self.separate();
        let mut number: i64 = number.into();
        if number < 0 {
            self.buffer.push(b'-');
            number = -number;
        }
        let mut digits = [0_u8; 20];
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.buffer.extend(&digits[at..]);
        self
    }

    pub(super) fn flag(&mut self, flag: bool) -> &mut Self {
        self.separate();
        self.buffer.push(if flag { b't' } else { b'f' });
        self
    }

    pub(super) fn null(&mut self) -> &mut Self {
        self.separate();
        self.buffer.extend(b"\\N");
        self
    }

    pub(super) fn maybe(&mut self, text: Option<&str>) -> &mut Self {
        match text {
            Some(text) => self.text(text),
            None => self.null(),
        }
    }

    /// Appends an instant, which is given in Unix seconds.
    pub(super) fn time(&mut self, unix: i64) -> &mut Self {
        self.moment(unix, true)
    }

    /// Appends the UTC date of an instant, which is given in Unix seconds.
    pub(super) fn date(&mut self, unix: i64) -> &mut Self {
        self.moment(unix, false)
    }

    fn moment(&mut self, unix: i64, clock: bool) -> &mut Self {
        self.separate();
        let at = OffsetDateTime::from_unix_timestamp(unix).unwrap_or(OffsetDateTime::UNIX_EPOCH);
        let two = |buffer: &mut Vec<u8>, n: u8| buffer.extend([b'0' + n / 10, b'0' + n % 10]);
        let year = at.year().unsigned_abs();
        two(&mut self.buffer, (year / 100) as u8);
        two(&mut self.buffer, (year % 100) as u8);
        self.buffer.push(b'-');
        two(&mut self.buffer, at.month().into());
        self.buffer.push(b'-');
        two(&mut self.buffer, at.day());
        if clock {
            self.buffer.push(b' ');
            two(&mut self.buffer, at.hour());
            self.buffer.push(b':');
            two(&mut self.buffer, at.minute());
            self.buffer.push(b':');
            two(&mut self.buffer, at.second());
            self.buffer.extend(b"+00");
        }
        self
    }

    /// Ends the row. Blocks while the table's task is behind.
    pub(super) fn end(&mut self) -> Result<(), EarlyEnd> {
        self.buffer.push(b'\n');
        self.start_of_row = true;
        self.rows += 1;
        if self.buffer.len() >= CHUNK { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), EarlyEnd> {
        let full = std::mem::replace(&mut self.buffer, Vec::with_capacity(CHUNK + 4096));
        self.chunks.blocking_send(full).map_err(|_| EarlyEnd)
    }

    /// Flushes the remaining rows.
    pub(super) fn close(mut self) -> Result<(), EarlyEnd> {
        self.flush()
    }
}
