//! Password hashing with Argon2id, a few hashes at a time, on threads separate from those that serve requests.
//!
//! A check takes the same time whether or not the account exists. If it doesn't, the check runs against a dummy hash.
//!
//! Under load, only a few requests without a captcha proof may wait ([`Passwords::try_slot`]). A request with a proof overtakes all but
//! one of them.

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

/// Lengths of salt and hash in bytes.
const SALT: usize = 16;
const HASH: usize = 32;

/// Creates and verifies password hashes.
pub struct Passwords {
    argon2: Argon2<'static>,
    /// Hash that no password matches.
    dummy: Arc<str>,
    turns: Arc<Semaphore>,
    /// Limits the number of requests without a proof.
    slots: Arc<Semaphore>,
    /// Held by the one request without a proof that competes for a turn with those that have one.
    front: Semaphore,
    wait: Duration,
    threads: ThreadPool,
    hashes: AtomicU64,
}

/// Permission to wait for a password check.
pub enum Ticket {
    /// The captcha was solved, or the client is a member.
    Proven,
    /// One of the few slots for requests without a proof, held until the check is done.
    Slot(OwnedSemaphorePermit),
}

/// Result of a password check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasswordOutcome {
    /// Wrong password, or no account.
    Wrong,
    /// The password is right.
    Right {
        /// Whether the hash uses other parameters than the current ones.
        is_old: bool,
    },
}

impl Passwords {
    /// Sets up Argon2id with the configured parameters.
    ///
    /// # Errors
    /// Fails if the parameters are invalid, or if the system can't provide random bytes or threads.
    pub fn new(settings: &Settings) -> anyhow::Result<Self> {
        let refuse = |error: argon2::Error| anyhow::anyhow!("accounts.argon2: {error}");
        let params = Params::new(settings.memory_kib, settings.passes, settings.lanes, Some(HASH)).map_err(refuse)?;
        let dummy = dummy_hash(&params)?;
        Ok(Self {
            argon2: Argon2::new(Algorithm::Argon2id, Version::V0x13, params),
            dummy: dummy.into(),
            turns: Arc::new(Semaphore::new(settings.at_once)),
            slots: Arc::new(Semaphore::new(settings.at_once + settings.captcha_waiting)),
            front: Semaphore::new(1),
            wait: Duration::from_millis(settings.wait_ms),
            threads: threads(settings)?,
            hashes: AtomicU64::new(0),
        })
    }

    /// Takes a slot for a request without a proof. Returns `None` if all slots are taken and a proof is required.
    pub fn try_slot(&self) -> Option<Ticket> {
        Arc::clone(&self.slots).try_acquire_owned().ok().map(Ticket::Slot)
    }

    /// Returns the number of hashes created and verified since startup, including dummy hashes.
    pub fn hashes(&self) -> u64 {
        self.hashes.load(Ordering::Relaxed)
    }

    /// Hashes a password in PHC format. Runs as [`Ticket::Proven`], because a proof was already required to set a password.
    pub async fn hash(&self, password: String) -> ApiResult<String> {
        let argon2 = self.argon2.clone();
        self.in_turn(Ticket::Proven, move || {
            let salt = SaltString::encode_b64(&random::<SALT>()?).map_err(of_hash)?;
            Ok(argon2.hash_password(password.as_bytes(), &salt).map_err(of_hash)?.to_string())
        })
        .await
    }

    /// Verifies a password against its stored hash. If there is none, a dummy check takes the same time.
    pub async fn check(&self, password: String, stored: Option<String>, ticket: Ticket) -> ApiResult<PasswordOutcome> {
        let (argon2, dummy) = (self.argon2.clone(), Arc::clone(&self.dummy));
        self.in_turn(ticket, move || {
            let stored = stored.as_deref();
            let hash = PasswordHash::new(stored.unwrap_or(&dummy)).map_err(of_hash)?;
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

    /// Runs the work on a hashing thread once it is its turn. If the caller is canceled, the turn is still held until the work is done.
    async fn in_turn<T: Send + 'static>(
        &self,
        ticket: Ticket,
        work: impl FnOnce() -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        let turn = tokio::time::timeout(self.wait, self.turn(&ticket))
            .await
            .map_err(|_| ApiError::unavailable("too many passwords are waiting to be hashed"))?
            .map_err(ApiError::internal)?;
        self.hashes.fetch_add(1, Ordering::Relaxed);
        let (sender, answer) = oneshot::channel();
        self.threads.spawn(move || {
            let done = work();
            // Release the turn before sending, so that it is free once the caller has the result.
            drop((turn, ticket));
            // This fails if the client has disconnected.
            let _ = sender.send(done);
        });
        answer.await.map_err(ApiError::internal)?
    }

    async fn turn(&self, ticket: &Ticket) -> Result<OwnedSemaphorePermit, AcquireError> {
        let _front = match ticket {
            Ticket::Proven => None,
            Ticket::Slot(_) => Some(self.front.acquire().await?),
        };
        Arc::clone(&self.turns).acquire_owned().await
    }
}

/// Builds a pool with one thread per concurrent hash. The threads keep their niceness, because only root may lower it again.
fn threads(settings: &Settings) -> anyhow::Result<ThreadPool> {
    let niceness = settings.niceness;
    let pool = ThreadPoolBuilder::new()
        .num_threads(settings.at_once)
        .thread_name(|_| "passwords".to_owned())
        .start_handler(move |_| {
            if let Err(error) = niceness::stand_back(niceness) {
                tracing::warn!(error, "failed to set the niceness of password hashing; it runs at normal priority");
            }
        })
        // The caller notices that its channel has been closed.
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

/// Returns a random hash. Verifying against it costs the full work, while creating it costs none.
fn dummy_hash(params: &Params) -> anyhow::Result<String> {
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
    async fn verifies_only_the_right_password() {
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
    async fn hash_with_other_parameters_is_old() {
        let (former, passwords) =
            (Passwords::new(&Settings { passes: 2, ..CHEAP }).unwrap(), Passwords::new(&CHEAP).unwrap());
        let hash = former.hash("correct horse".to_owned()).await.unwrap();
        let checked = passwords.check("correct horse".to_owned(), Some(hash), Ticket::Proven).await.unwrap();
        assert_eq!(checked, PasswordOutcome::Right { is_old: true });
    }

    #[tokio::test]
    async fn hashing_runs_at_configured_niceness() {
        // proc_pid_stat(5): this is the 19th field, which is the 17th after the name in parentheses.
        let own = || -> u8 {
            let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
            let field = stat.rsplit(')').next().unwrap().split_whitespace().nth(16).unwrap();
            field.parse::<i8>().unwrap().max(0).unsigned_abs()
        };
        // Without root, niceness can't go below the niceness of the test process.
        for niceness in own()..=19 {
            let passwords = Passwords::new(&Settings { niceness, ..CHEAP }).unwrap();
            assert_eq!(passwords.threads.install(own), niceness);
        }
    }

    #[tokio::test]
    async fn proven_requests_overtake_the_few_unproven_ones() {
        let passwords = Passwords::new(&Settings { wait_ms: 60_000, ..CHEAP }).unwrap();
        let turn = Arc::clone(&passwords.turns).acquire_owned().await.unwrap();
        let slots: Vec<Ticket> = std::iter::from_fn(|| passwords.try_slot()).take(9).collect();
        assert_eq!(slots.len(), 3, "one running and two waiting");
        // The work itself records the order, because two results may arrive before the first one is read.
        let order = Arc::new(Mutex::new(Vec::new()));
        let work = async |who: &'static str, ticket| {
            let order = Arc::clone(&order);
            let note = move || {
                order.lock().unwrap().push(who);
                Ok(())
            };
            passwords.in_turn(ticket, note).await.unwrap();
        };
        let mut slots = slots.into_iter();
        let mut next = || slots.next().unwrap();
        // They are polled in this order, and the turn is released once all are waiting.
        let (first, second, third) = (work("first", next()), work("second", next()), work("third", next()));
        tokio::join!(biased; first, second, third, work("proven", Ticket::Proven), async { drop(turn) });
        assert_eq!(*order.lock().unwrap(), ["first", "proven", "second", "third"]);
        assert!(passwords.try_slot().is_some(), "slots are free again");
    }

    #[tokio::test]
    async fn waiting_too_long_returns_503_with_retry_after() {
        let passwords = Passwords::new(&CHEAP).unwrap();
        let turn = Arc::clone(&passwords.turns).acquire_owned().await.unwrap();
        let refused = passwords.hash("correct horse".to_owned()).await.unwrap_err();
        assert_eq!((refused.status().as_u16(), refused.retry_after()), (503, Some(5)));
        drop(turn);
        assert!(passwords.hash("correct horse".to_owned()).await.is_ok());
    }
}
