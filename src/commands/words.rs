//! `lantern words`: which words mean the same, as searches that find little are asked with them.

use std::io::IsTerminal;

use clap::{Args, Subcommand, ValueEnum};
use lantern_catalog::meanings::{self, Meaning, Side, WantedMeanings};
use lantern_config::{Config, Lang};
use sqlx::PgPool;

use crate::{progress::say, stack};

/// Show, add or refuse words that mean the same.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  lantern words list piano\n  lantern words list --lang de --origin learned > pairs.tsv\n  \
                  lantern words add пианино --lang ru --means piano --in en\n  lantern words add 'coffee shop' --lang en --means café\n  \
                  lantern words remove gift --lang de --means present --in en\n\nOn a terminal a table is printed, elsewhere plain lines with a tab \
                  between the columns: language, word, language, word, kind, origin,\nweight, and `refused` where an operator said no. Pairs \
                  hold in both directions. Every node knows of a change within 15 seconds."
)]
pub struct WordsArgs {
    #[command(subcommand)]
    command: WordsCommand,
}

#[derive(Debug, Subcommand)]
enum WordsCommand {
    /// Show pairs: what was learned from titles, what came with the program, what operators said.
    List(List),
    /// Say that two words mean the same, whatever titles teach.
    Add(Add),
    /// Say that two words don't mean the same; it isn't learned again.
    Remove(Pair),
    /// Take back what was added or removed, so that titles decide.
    Forget(Pair),
}

#[derive(Debug, Args)]
struct List {
    /// Only pairs with this word.
    word: Option<String>,
    /// Only pairs with a word of this language.
    #[arg(long)]
    lang: Option<Lang>,
    /// Only pairs from there.
    #[arg(long)]
    origin: Option<Origin>,
    /// Rows at most.
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
    /// A word, or some words that have one meaning together.
    word: String,
    /// Its language.
    #[arg(long)]
    lang: Lang,
    /// The other word.
    #[arg(long)]
    means: String,
    /// The language of the other word, where it is another one.
    #[arg(long = "in")]
    other_lang: Option<Lang>,
}

#[derive(Debug, Args)]
struct Add {
    #[command(flatten)]
    pair: Pair,
    /// What they are to each other; without it a translation between two languages, else a synonym.
    #[arg(long)]
    kind: Option<WordsKind>,
}

/// The name of a value on the command line, which is the catalog's too.
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

/// Asks the catalog of the running Lantern; without one, starts Postgres for the moment.
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
        anyhow::ensure!((1..=69).contains(&length), "{:?} has {length} characters, must have 1 to 69", side.word);
    }
    anyhow::ensure!(meanings::decide(pool, a, b, &name(&kind), refused).await?, "both are the same word");
    say(if refused { "They don't mean the same any more." } else { "They mean the same from now on." });
    Ok(())
}

async fn forget(pool: &PgPool, pair: &Pair) -> anyhow::Result<()> {
    let (a, b) = pair.sides();
    anyhow::ensure!(meanings::forget(pool, a, b).await?, "no operator said anything of these two words");
    say("Titles decide again, when words are learned the next time.");
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
        say("There is no such pair.");
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
