//! Passwords: Argon2id, a few at a time, away from the threads that answer requests.
//!
//! A check takes the same time whether or not there is an account: where there is none, a hash that belongs to no account is checked.
//!
//! In a flood of checks few who proved nothing wait ([`Passwords::place`]); a request with a proof passes all but one of them.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{Output, ParamsString, PasswordHash, PasswordHasher, PasswordVerifier, Salt, SaltString},
};
use lantern_config::{Argon2 as Settings, niceness};
use rand::{TryRngCore, rngs::OsRng};
use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, oneshot};

use lantern_errors::{ApiError, ApiResult};

/// Bytes of a salt and of a hash.
const SALT: usize = 16;
const HASH: usize = 32;

/// Makes and checks hashes.
pub struct Passwords {
    argon2: Argon2<'static>,
    /// A hash no password has.
    nobody: Arc<str>,
    turns: Arc<Semaphore>,
    /// Of those who proved nothing.
    places: Arc<Semaphore>,
    /// Held by the one of them that waits for a turn beside those with a proof.
    front: Semaphore,
    wait: Duration,
    threads: ThreadPool,
    hashes: AtomicU64,
}

/// What lets a password wait to be checked.
pub enum Ticket {
    /// Of a person, as far as a captcha tells, or a member.
    Proven,
    /// One of few places of those who proved nothing, held until the answer.
    Place(OwnedSemaphorePermit),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasswordOutcome {
    /// Another password, or no account.
    Wrong,
    Right {
        /// The hash was made with other parameters than today's.
        is_old: bool,
    },
}

impl Passwords {
    /// Sets up Argon2id with these parameters.
    ///
    /// # Errors
    /// Argon2 doesn't know such parameters, or the system has no randomness or no threads.
    pub fn new(settings: &Settings) -> anyhow::Result<Self> {
        let refuse = |error: argon2::Error| anyhow::anyhow!("accounts.argon2: {error}");
        let params = Params::new(settings.memory_kib, settings.passes, settings.lanes, Some(HASH)).map_err(refuse)?;
        let nobody = nobody(&params)?;
        Ok(Self {
            argon2: Argon2::new(Algorithm::Argon2id, Version::V0x13, params),
            nobody: nobody.into(),
            turns: Arc::new(Semaphore::new(settings.at_once)),
            places: Arc::new(Semaphore::new(settings.at_once + settings.captcha_waiting)),
            front: Semaphore::new(1),
            wait: Duration::from_millis(settings.wait_ms),
            threads: threads(settings)?,
            hashes: AtomicU64::new(0),
        })
    }

    /// A place for somebody who proved nothing; `None` when all are taken, and a proof is needed.
    pub fn place(&self) -> Option<Ticket> {
        Arc::clone(&self.places).try_acquire_owned().ok().map(Ticket::Place)
    }

    /// Hashes made and checked since the start, also those of nobody.
    pub fn hashes(&self) -> u64 {
        self.hashes.load(Ordering::Relaxed)
    }

    /// The hash of a password, in PHC form. Whoever may set one has proved something.
    pub async fn hash(&self, password: String) -> ApiResult<String> {
        let argon2 = self.argon2.clone();
        self.in_turn(Ticket::Proven, move || {
            let salt = SaltString::encode_b64(&random::<SALT>()?).map_err(of_hash)?;
            Ok(argon2.hash_password(password.as_bytes(), &salt).map_err(of_hash)?.to_string())
        })
        .await
    }

    /// Whether `stored` is the hash of the password; without one it takes as long to say no.
    pub async fn check(&self, password: String, stored: Option<String>, ticket: Ticket) -> ApiResult<PasswordOutcome> {
        let (argon2, nobody) = (self.argon2.clone(), Arc::clone(&self.nobody));
        self.in_turn(ticket, move || {
            let stored = stored.as_deref();
            let hash = PasswordHash::new(stored.unwrap_or(&nobody)).map_err(of_hash)?;
            let is_right = match argon2.verify_password(password.as_bytes(), &hash) {
                Ok(()) => stored.is_some(),
                Err(argon2::password_hash::Error::Password) => false,
                Err(error) => return Err(of_hash(error)),
            };
            let today = ParamsString::try_from(argon2.params()).map_err(of_hash)?;
            Ok(if is_right { PasswordOutcome::Right { is_old: hash.params != today } } else { PasswordOutcome::Wrong })
        })
        .await
    }

    /// Runs the work on a thread for hashes once it is its turn. Whoever stops waiting for the answer still holds the turn
    /// until the work is done.
    async fn in_turn<T: Send + 'static>(
        &self,
        ticket: Ticket,
        work: impl FnOnce() -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        let turn = tokio::time::timeout(self.wait, self.turn(&ticket))
            .await
            .map_err(|_| ApiError::unavailable("too many passwords wait to be checked"))?
            .map_err(ApiError::internal)?;
        self.hashes.fetch_add(1, Ordering::Relaxed);
        let (sender, answer) = oneshot::channel();
        self.threads.spawn(move || {
            let done = work();
            // First, so that whoever has the answer finds the turn free.
            drop((turn, ticket));
            // Nobody listens any more when the client left.
            let _ = sender.send(done);
        });
        answer.await.map_err(ApiError::internal)?
    }

    async fn turn(&self, ticket: &Ticket) -> Result<OwnedSemaphorePermit, AcquireError> {
        let _front = match ticket {
            Ticket::Proven => None,
            Ticket::Place(_) => Some(self.front.acquire().await?),
        };
        Arc::clone(&self.turns).acquire_owned().await
    }
}

/// As many threads as hashes at once. Their niceness stays with them, for only root may take it back.
fn threads(settings: &Settings) -> anyhow::Result<ThreadPool> {
    let niceness = settings.niceness;
    let pool = ThreadPoolBuilder::new()
        .num_threads(settings.at_once)
        .thread_name(|_| "passwords".to_owned())
        .start_handler(move |_| {
            if let Err(error) = niceness::stand_back(niceness) {
                tracing::warn!(error, "password hashes run like anything else: their niceness can't be set");
            }
        })
        // Whoever waits for the work is told by the channel that closes.
        .panic_handler(|_| tracing::error!("a password hash panicked"));
    Ok(pool.build()?)
}

fn of_hash(error: argon2::password_hash::Error) -> ApiError {
    ApiError::internal(error.to_string())
}

fn random<const N: usize>() -> ApiResult<[u8; N]> {
    let mut bytes = [0; N];
    OsRng.try_fill_bytes(&mut bytes).map_err(ApiError::internal)?;
    Ok(bytes)
}

/// A hash made of nothing but randomness: checking against it is all the work, making it is none.
fn nobody(params: &Params) -> anyhow::Result<String> {
    let refuse = |error: argon2::password_hash::Error| anyhow::anyhow!("accounts.argon2: {error}");
    let salt = SaltString::encode_b64(&random::<SALT>()?).map_err(refuse)?;
    let hash = PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(params).map_err(refuse)?,
        salt: Some(Salt::from(&salt)),
        hash: Some(Output::new(&random::<HASH>()?).map_err(refuse)?),
    };
    Ok(hash.to_string())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    const CHEAP: Settings =
        Settings { memory_kib: 64, passes: 1, lanes: 1, at_once: 1, niceness: 10, captcha_waiting: 2, wait_ms: 50 };

    #[tokio::test]
    async fn only_the_password_itself_is_right() {
        let passwords = Passwords::new(&CHEAP).unwrap();
        let hash = passwords.hash("correct horse".to_owned()).await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=64,t=1,p=1$"), "{hash}");
        assert_ne!(hash, passwords.hash("correct horse".to_owned()).await.unwrap(), "salted");
        let check = async |password: &str, hash: Option<&str>| {
            passwords.check(password.to_owned(), hash.map(str::to_owned), Ticket::Proven).await.unwrap()
        };
        assert_eq!(check("correct horse", Some(&hash)).await, PasswordOutcome::Right { is_old: false });
        assert_eq!(check("correct horsf", Some(&hash)).await, PasswordOutcome::Wrong);
        assert_eq!(check("correct horse", None).await, PasswordOutcome::Wrong);
        assert!(passwords.check("x".to_owned(), Some("no hash".to_owned()), Ticket::Proven).await.is_err());
    }

    #[tokio::test]
    async fn a_hash_of_other_parameters_is_old() {
        let (former, passwords) =
            (Passwords::new(&Settings { passes: 2, ..CHEAP }).unwrap(), Passwords::new(&CHEAP).unwrap());
        let hash = former.hash("correct horse".to_owned()).await.unwrap();
        let checked = passwords.check("correct horse".to_owned(), Some(hash), Ticket::Proven).await.unwrap();
        assert_eq!(checked, PasswordOutcome::Right { is_old: true });
    }

    #[tokio::test]
    async fn hashing_stands_back() {
        // proc_pid_stat(5): the 19th field, the 17th after the name in parentheses.
        let own = || -> u8 {
            let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
            let field = stat.rsplit(')').next().unwrap().split_whitespace().nth(16).unwrap();
            field.parse::<i8>().unwrap().max(0).unsigned_abs()
        };
        // Who isn't root can't be less nice than what started the tests.
        for niceness in own()..=19 {
            let passwords = Passwords::new(&Settings { niceness, ..CHEAP }).unwrap();
            assert_eq!(passwords.threads.install(own), niceness);
        }
    }

    #[tokio::test]
    async fn few_wait_without_a_proof_and_who_has_one_passes_them() {
        let passwords = Passwords::new(&Settings { wait_ms: 60_000, ..CHEAP }).unwrap();
        let turn = Arc::clone(&passwords.turns).acquire_owned().await.unwrap();
        let places: Vec<Ticket> = std::iter::from_fn(|| passwords.place()).take(9).collect();
        assert_eq!(places.len(), 3, "one to be worked on and two that wait");
        // Noted by the work itself: two answers may be there before the first of them is read.
        let order = Arc::new(Mutex::new(Vec::new()));
        let work = async |who: &'static str, ticket| {
            let order = Arc::clone(&order);
            let note = move || {
                order.lock().unwrap().push(who);
                Ok(())
            };
            passwords.in_turn(ticket, note).await.unwrap();
        };
        let mut places = places.into_iter();
        let mut next = || places.next().unwrap();
        // Polled in this order: the turn is given back when all wait.
        let (first, second, third) = (work("first", next()), work("second", next()), work("third", next()));
        tokio::join!(biased; first, second, third, work("proven", Ticket::Proven), async { drop(turn) });
        assert_eq!(*order.lock().unwrap(), ["first", "proven", "second", "third"]);
        assert!(passwords.place().is_some(), "places are free again");
    }

    #[tokio::test]
    async fn who_waits_too_long_is_told_to_come_back() {
        let passwords = Passwords::new(&CHEAP).unwrap();
        let turn = Arc::clone(&passwords.turns).acquire_owned().await.unwrap();
        let refused = passwords.hash("correct horse".to_owned()).await.unwrap_err();
        assert_eq!((refused.status().as_u16(), refused.retry_after()), (503, Some(5)));
        drop(turn);
        assert!(passwords.hash("correct horse".to_owned()).await.is_ok());
    }
}
