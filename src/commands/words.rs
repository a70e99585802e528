//! `lantern words`: synonyms, with which searches that have few results are extended.

use std::io::IsTerminal;

use clap::{Args, Subcommand, ValueEnum};
use lantern_catalog::meanings::{self, Meaning, Side, WantedMeanings};
use lantern_config::{Config, Lang};
use sqlx::PgPool;

use crate::{progress::say, stack};

/// Show, add or reject synonyms.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lantern words list piano\n  lantern words list --lang de --origin learned > pairs.tsv\n  \
                  lantern words add пианино --lang ru --means piano --in en\n  lantern words add 'coffee shop' --lang en --means café\n  \
                  lantern words remove gift --lang de --means present --in en\n\nPrints a table to a terminal, otherwise \
                  tab-separated columns: language, word, language, word, kind, origin,\nweight, and `refused` if rejected by an operator. Pairs \
                  apply in both directions. All nodes apply a change within 15 seconds."
)]
pub struct WordsArgs {
    #[command(subcommand)]
    command: WordsCommand,
}

#[derive(Debug, Subcommand)]
enum WordsCommand {
    /// List pairs: learned from titles, shipped with the program, and set by operators.
    List(List),
    /// Add a pair, overriding what titles suggest.
    Add(Add),
    /// Reject a pair, so that it isn't learned again.
    Remove(Pair),
    /// Undo `add` or `remove`, so that titles decide.
    Forget(Pair),
}

#[derive(Debug, Args)]
struct List {
    /// Only pairs with this word.
    word: Option<String>,
    /// Only pairs with a word of this language.
    #[arg(long)]
    lang: Option<Lang>,
    /// Only pairs of this origin.
    #[arg(long)]
    origin: Option<Origin>,
    /// Maximum number of rows.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    limit: u32,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Origin {
    Learned,
    Shipped,
    Operator,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum WordsKind {
    Translation,
    Synonym,
    Spelling,
}

#[derive(Debug, Args)]
struct Pair {
    /// Word or phrase.
    word: String,
    /// Language of the word.
    #[arg(long)]
    lang: Lang,
    /// Other word or phrase.
    #[arg(long)]
    means: String,
    /// Language of the other word, if it differs.
    #[arg(long = "in")]
    other_lang: Option<Lang>,
}

#[derive(Debug, Args)]
struct Add {
    #[command(flatten)]
    pair: Pair,
    /// Relation of the words; default: translation between two languages, else synonym.
    #[arg(long)]
    kind: Option<WordsKind>,
}

/// Returns the name of a value, which is the same on the command line and in the catalog.
fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

impl Pair {
    fn sides(&self) -> (Side, Side) {
        let tidy = |word: &str| word.split_whitespace().collect::<Vec<_>>().join(" ");
        let other_lang = self.other_lang.unwrap_or(self.lang);
        (Side::new(self.lang, &tidy(&self.word)), Side::new(other_lang, &tidy(&self.means)))
    }

    fn kind(&self) -> WordsKind {
        if self.other_lang.is_some_and(|lang| lang != self.lang) { WordsKind::Translation } else { WordsKind::Synonym }
    }
}

/// Works on the catalog of the running Lantern. If none is running, Postgres runs for the duration of the command.
pub async fn run(config: Config, args: WordsArgs) -> anyhow::Result<()> {
    stack::with_catalog(&config, async |pool| match args.command {
        WordsCommand::List(list) => print(pool, list).await,
        WordsCommand::Add(Add { pair, kind }) => decide(pool, &pair, kind.unwrap_or_else(|| pair.kind()), false).await,
        WordsCommand::Remove(pair) => decide(pool, &pair, pair.kind(), true).await,
        WordsCommand::Forget(pair) => forget(pool, &pair).await,
    })
    .await
}

async fn decide(pool: &PgPool, pair: &Pair, kind: WordsKind, refused: bool) -> anyhow::Result<()> {
    let (a, b) = pair.sides();
    for side in [&a, &b] {
        let length = side.word.chars().count();
        anyhow::ensure!((1..=69).contains(&length), "{:?} has {length} characters; 1 to 69 are allowed", side.word);
    }
    anyhow::ensure!(meanings::decide(pool, a, b, &name(&kind), refused).await?, "both are the same word");
    say(if refused { "Pair rejected." } else { "Pair added." });
    Ok(())
}

async fn forget(pool: &PgPool, pair: &Pair) -> anyhow::Result<()> {
    let (a, b) = pair.sides();
    anyhow::ensure!(meanings::forget(pool, a, b).await?, "no operator has added or rejected this pair");
    say("Decision undone; the pair is learned from titles at the next run.");
    Ok(())
}

async fn print(pool: &PgPool, list: List) -> anyhow::Result<()> {
    let wanted = WantedMeanings {
        word: list.word,
        lang: list.lang,
        origin: list.origin.as_ref().map(name),
        limit: list.limit.into(),
    };
    let rows = meanings::list(pool, &wanted).await?;
    if !std::io::stdout().is_terminal() {
        rows.iter().for_each(|row| say(&plain(row)));
        return Ok(());
    }
    if rows.is_empty() {
        say("No pairs.");
        return Ok(());
    }
    say(&line("lang", "word", "lang", "word", "kind", "origin", "weight"));
    for row in &rows {
        let origin = if row.refused { format!("{}: no", row.origin) } else { row.origin.clone() };
        say(&line(
            &row.lang,
            &row.word,
            &row.other_lang,
            &row.other,
            &row.kind,
            &origin,
            &format!("{:.2}", row.weight),
        ));
    }
    Ok(())
}

fn line(lang: &str, word: &str, other_lang: &str, other: &str, kind: &str, origin: &str, weight: &str) -> String {
    format!("{lang:<5}{word:<28}{other_lang:<5}{other:<28}{kind:<13}{origin:<13}{weight:>6}")
}

fn plain(row: &Meaning) -> String {
    let Meaning { lang, word, other_lang, other, kind, origin, weight, refused } = row;
    let refused = if *refused { "refused" } else { "" };
    format!("{lang}\t{word}\t{other_lang}\t{other}\t{kind}\t{origin}\t{weight:.2}\t{refused}")
}
