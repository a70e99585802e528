//! An SMTP server for one test on a free port, with replies on demand.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

/// A received mail.
#[derive(Debug, Clone)]
pub struct ArrivedMail {
    pub from: String,
    pub to: String,
    pub raw: String,
}

#[derive(Clone, Default)]
pub struct SmtpServer {
    pub url: String,
    pub arrived: Arc<Mutex<Vec<ArrivedMail>>>,
    /// Replies for the next recipients. Once it is empty, recipients are accepted.
    pub refusals: Arc<Mutex<VecDeque<&'static str>>>,
    /// Greeting that rejects every connection.
    pub turned_away: Arc<Mutex<Option<&'static str>>>,
}

impl SmtpServer {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self { url: format!("smtp://{}", listener.local_addr().unwrap()), ..Self::default() };
        let serving = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serving.clone().talk(stream));
            }
        });
        server
    }

    /// Sets these replies for the next recipients.
    pub fn refuse(&self, with: &[&'static str]) {
        self.refusals.lock().unwrap().extend(with);
    }

    pub fn mails(&self) -> Vec<ArrivedMail> {
        self.arrived.lock().unwrap().clone()
    }

    async fn talk(self, stream: TcpStream) {
        let (read, mut write) = stream.into_split();
        let mut lines = BufReader::new(read).lines();
        let greeting = self.turned_away.lock().unwrap().unwrap_or("220 test ESMTP");
        write.write_all(format!("{greeting}\r\n").as_bytes()).await.unwrap();
        let mut mail = ArrivedMail { from: String::new(), to: String::new(), raw: String::new() };
        while let Ok(Some(line)) = lines.next_line().await {
            let verb = line.split([' ', ':']).next().unwrap().to_uppercase();
            let answer = match verb.as_str() {
                "EHLO" | "HELO" => "250 test",
                "MAIL" => {
                    mail.from = address(&line);
                    "250 ok"
                }
                "RCPT" => {
                    mail.to = address(&line);
                    let refusal = self.refusals.lock().unwrap().pop_front();
                    refusal.unwrap_or("250 ok")
                }
                "DATA" => {
                    write.write_all(b"354 send the mail\r\n").await.unwrap();
                    while let Ok(Some(line)) = lines.next_line().await {
                        if line == "." {
                            break;
                        }
                        mail.raw.push_str(line.strip_prefix('.').unwrap_or(&line));
                        mail.raw.push_str("\r\n");
                    }
                    self.arrived.lock().unwrap().push(std::mem::replace(
                        &mut mail,
                        ArrivedMail { from: String::new(), to: String::new(), raw: String::new() },
                    ));
                    "250 queued"
                }
                "QUIT" => "221 bye",
                _ => "250 ok, ignored",
            };
            if write.write_all(format!("{answer}\r\n").as_bytes()).await.is_err() {
                return;
            }
        }
    }
}

fn address(line: &str) -> String {
    line.split(['<', '>']).nth(1).unwrap().to_owned()
}
