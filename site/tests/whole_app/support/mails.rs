//! Parses mails that were written as files, as a mail program would.

use std::collections::BTreeMap;

use lantern_site::SiteState;

use super::App;

/// A parsed mail.
pub struct ReadMail {
    /// Headers by lowercase name, unfolded and decoded.
    pub headers: BTreeMap<String, String>,
    pub text: String,
    pub html: String,
}

impl App {
    pub fn state(&self) -> &SiteState {
        &self.state
    }

    /// Sends all mails that are due and returns all mails sent so far.
    pub async fn mails(&self) -> Vec<ReadMail> {
        self.state.mailer.flush().await.unwrap();
        let folder = self.config.data_dir.join("mail");
        let files = std::fs::read_dir(folder).unwrap();
        let paths = files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "eml"));
        paths.map(|path| ReadMail::parse(&std::fs::read_to_string(path).unwrap())).collect()
    }

    /// Returns the only mail to this address.
    pub async fn mail_to(&self, address: &str) -> ReadMail {
        let mails = self.mails().await;
        let mut to = mails.into_iter().filter(|mail| mail.headers["to"].contains(address));
        let mail = to.next().unwrap_or_else(|| panic!("no mail to {address}"));
        assert!(to.next().is_none(), "several mails to {address}");
        mail
    }
}

impl ReadMail {
    pub fn parse(raw: &str) -> Self {
        let (head, body) = raw.split_once("\r\n\r\n").unwrap();
        let headers = headers(head);
        let kind = &headers["content-type"];
        assert!(kind.starts_with("multipart/alternative"), "{kind}");
        let boundary = kind.split("boundary=\"").nth(1).unwrap().split('"').next().unwrap();
        let line = format!("--{boundary}");
        let mut parts = body.split(&line).skip(1).filter(|part| !part.starts_with("--")).map(part);
        // The plainest part is first (RFC 2046).
        let ((text_kind, text), (html_kind, html)) = (parts.next().unwrap(), parts.next().unwrap());
        assert!(parts.next().is_none());
        assert_eq!((&*text_kind, &*html_kind), ("text/plain; charset=utf-8", "text/html; charset=utf-8"));
        Self { headers, text, html }
    }

    /// Returns the first address in the text that is alone on its line.
    pub fn link(&self) -> String {
        self.text.lines().find(|line| line.starts_with("http")).unwrap().to_owned()
    }

    /// Returns the path and query of the link.
    pub fn path(&self) -> String {
        let link = self.link();
        let at = link.find("://").unwrap() + 3;
        link[at..].find('/').map(|slash| link[at + slash..].to_owned()).unwrap()
    }
}

fn headers(head: &str) -> BTreeMap<String, String> {
    let unfolded = head.replace("\r\n ", " ").replace("\r\n\t", " ");
    let pairs = unfolded.lines().map(|line| line.split_once(": ").unwrap());
    pairs.map(|(name, value)| (name.to_lowercase(), words(value))).collect()
}

fn part(raw: &str) -> (String, String) {
    let (head, body) = raw.trim_start_matches("\r\n").split_once("\r\n\r\n").unwrap();
    let headers = headers(head);
    let bytes = match headers["content-transfer-encoding"].as_str() {
        "7bit" | "8bit" => body.as_bytes().to_vec(),
        "quoted-printable" => quoted(body),
        "base64" => base64(&body.replace("\r\n", "")),
        other => panic!("{other}"),
    };
    (headers["content-type"].to_lowercase(), String::from_utf8(bytes).unwrap().replace("\r\n", "\n"))
}

/// Decodes encoded words (RFC 2047). White space between two of them is dropped.
fn words(value: &str) -> String {
    let (mut out, mut after_encoded) = (String::new(), true);
    for word in value.split(' ') {
        let encoded = word.strip_prefix("=?utf-8?b?").and_then(|rest| rest.strip_suffix("?="));
        if !(out.is_empty() || after_encoded && encoded.is_some()) {
            out.push(' ');
        }
        match encoded {
            Some(text) => out.push_str(&String::from_utf8(base64(text)).unwrap()),
            None => out.push_str(word),
        }
        after_encoded = encoded.is_some();
    }
    out
}

fn quoted(body: &str) -> Vec<u8> {
    let (joined, mut bytes) = (body.replace("=\r\n", ""), Vec::new());
    let mut rest = joined.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        if *first == b'=' {
            bytes.push(u8::from_str_radix(std::str::from_utf8(&after[..2]).unwrap(), 16).unwrap());
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    bytes
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64(text: &str) -> Vec<u8> {
    let signs = text.trim().trim_end_matches('=').bytes();
    let (mut bits, mut held, mut bytes) = (0u32, 0, Vec::new());
    for sign in signs {
        bits = bits << 6 | ALPHABET.iter().position(|known| *known == sign).unwrap() as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}

/// Encodes as Base64 with padding, as browsers do.
pub fn to_base64(bytes: &[u8]) -> String {
    let group = |chunk: &[u8]| {
        let bits = chunk.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        let signs = (0..=chunk.len()).map(|at| char::from(ALPHABET[(bits >> (18 - 6 * at)) as usize & 63]));
        signs.chain(std::iter::repeat_n('=', 3 - chunk.len())).collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}
