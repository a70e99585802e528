//! Variants of an answer and their tags.

use std::io::Read;

use sha2::{Digest, Sha256};

use super::*;

#[tokio::test]
async fn the_second_who_asks_gets_a_smaller_form_and_the_first_keeps_his() {
    let fixture = Fixture::new();
    let first = fixture.ask_with("key", &[], &accepting("br")).await;
    let quick = first.headers()[header::ETAG].clone();
    let still = fixture.ask_with("key", &[], &knowing("br", &quick)).await;
    assert_eq!((still.status(), &still.headers()[header::ETAG]), (StatusCode::NOT_MODIFIED, &quick));
    let mut names: Vec<&str> = still.headers().keys().map(header::HeaderName::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["cache-control", "etag", "vary", "x-request-id"], "RFC 9110, 15.4.5, and a place for the id");
    let second = fixture.ask_with("key", &[], &accepting("br")).await;
    assert_ne!(second.headers()[header::ETAG], quick, "other bytes, another tag");
    let length = |response: &Response| -> u32 {
        response.headers()[header::CONTENT_LENGTH].to_str().expect("text").parse().expect("a number")
    };
    assert!(length(&second) <= length(&first));
    let third = fixture.ask_with("key", &[], &accepting("br")).await;
    assert_eq!(third.headers()[header::ETAG], second.headers()[header::ETAG]);
}

#[tokio::test]
async fn a_known_tag_costs_no_body_and_each_form_has_its_own() {
    let fixture = Fixture::new();
    let tag_of = |response: &Response| response.headers()[header::ETAG].to_str().expect("text").to_owned();
    let plain = tag_of(&fixture.ask("key", &[]).await);
    let mut br = HeaderMap::new();
    br.insert(header::ACCEPT_ENCODING, "br".parse().expect("header"));
    let packed = fixture.ask_with("key", &[], &br).await;
    assert_eq!(packed.headers()[header::CONTENT_ENCODING], "br");
    assert_ne!(tag_of(&packed), plain);
    for (tags, status) in [
        (plain.clone(), StatusCode::NOT_MODIFIED),
        (format!("\"x\", W/{plain}"), StatusCode::NOT_MODIFIED),
        ("*".to_owned(), StatusCode::NOT_MODIFIED),
        (tag_of(&packed), StatusCode::OK),
    ] {
        let mut headers = HeaderMap::new();
        headers.insert(header::IF_NONE_MATCH, tags.parse().expect("header"));
        let response = fixture.ask_with("key", &[], &headers).await;
        assert_eq!(response.status(), status, "{tags}");
    }
    assert_eq!(fixture.runs(), 1);
}

#[tokio::test]
async fn the_same_document_computed_anew_is_no_news() {
    let fixture = Fixture::new();
    let ask = async |key, headers: &HeaderMap| {
        let same = async { Ok(TestAnswer { run: 0, filling: "lantern ".repeat(500), objects: Vec::new() }) };
        fixture.cache.respond(key, 60, headers, same).await.expect("answer")
    };
    for encoding in ["br", "zstd", "gzip"] {
        let quick = ask(encoding, &accepting(encoding)).await.headers()[header::ETAG].clone();
        let thorough = ask(encoding, &accepting(encoding)).await.headers()[header::ETAG].clone();
        assert_ne!(quick, thorough);
        fixture.change(&[]);
        ask(encoding, &HeaderMap::new()).await;
        fixture.settled(0).await;
        // No form of the new answer is made yet.
        for tag in [&thorough, &quick] {
            let known = ask(encoding, &knowing(encoding, tag)).await;
            assert_eq!((known.status(), &known.headers()[header::ETAG]), (StatusCode::NOT_MODIFIED, tag), "{encoding}");
        }
        assert_eq!(ask(encoding, &accepting(encoding)).await.headers()[header::ETAG], quick, "{encoding}");
        let known = ask(encoding, &knowing(encoding, &thorough)).await;
        assert_eq!(known.status(), StatusCode::NOT_MODIFIED, "{encoding}: only the quick form was there");
        let other = if encoding == "gzip" { "br" } else { "gzip" };
        assert_eq!(ask(encoding, &knowing(other, &thorough)).await.status(), StatusCode::OK, "another form's tag");
    }
}

#[tokio::test]
async fn text_of_little_repetition_is_compressed_in_every_form() {
    let fixture = Fixture::new();
    // Two fifths of it are left: three variants don't fit into the room of one answer.
    let mut digits = String::new();
    for n in 0_u32..1000 {
        digits.extend(Sha256::digest(n.to_be_bytes()).iter().map(|byte| char::from(b'0' + byte % 7)));
    }
    for _ in 0..3 {
        for encoding in ["br", "zstd", "gzip"] {
            let compute = {
                let filling = digits.clone();
                async { Ok(TestAnswer { run: 0, filling, objects: Vec::new() }) }
            };
            let answer = fixture.cache.respond("key", 60, &accepting(encoding), compute).await.expect("answer");
            assert_eq!(answer.headers()[header::CONTENT_ENCODING], encoding);
            let body = read(answer).await;
            assert!(body.len() < digits.len() * 7 / 10, "{encoding}: {} of {}", body.len(), digits.len());
            let mut whole = Vec::new();
            match encoding {
                "br" => brotli::Decompressor::new(&*body, 4096).read_to_end(&mut whole),
                "zstd" => zstd::Decoder::new(&*body).expect("decoder").read_to_end(&mut whole),
                _ => flate2::read::GzDecoder::new(&*body).read_to_end(&mut whole),
            }
            .expect("decoded");
            assert!(String::from_utf8(whole).expect("text").contains(&digits), "{encoding}");
        }
    }
    let uri: Uri = "/api/json/key.json".parse().expect("address");
    let mut ready = 0;
    for encoding in ["br", "zstd", "gzip"] {
        ready += usize::from(fixture.cache.ready(&Method::GET, &uri, &accepting(encoding)).await.is_some());
    }
    assert_eq!(ready, 2, "kept as far as there is room");
}
