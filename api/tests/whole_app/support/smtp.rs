//! A mail server for one test: it speaks SMTP on a free port and does as it is told.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

/// A mail as it arrived.
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
    /// What the next recipients are answered; once it is empty they are welcome.
    pub refusals: Arc<Mutex<VecDeque<&'static str>>>,
    /// What whoever connects is turned away with.
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

    /// The next recipients are answered so.
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
                    "250 fine"
                }
                "RCPT" => {
                    mail.to = address(&line);
                    let refusal = self.refusals.lock().unwrap().pop_front();
                    refusal.unwrap_or("250 fine")
                }
                "DATA" => {
                    write.write_all(b"354 go on\r\n").await.unwrap();
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
                    "250 taken"
                }
                "QUIT" => "221 bye",
                _ => "250 whatever",
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
