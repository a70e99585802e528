//! Variants of an answer and their ETags.

use std::io::Read;

use sha2::{Digest, Sha256};

use super::*;

#[tokio::test]
async fn second_request_gets_smaller_variant() {
    let fixture = Fixture::new();
    let first = fixture.get_with("key", &[], &accepting("br")).await;
    let quick = first.headers()[header::ETAG].clone();
    let unchanged = fixture.get_with("key", &[], &knowing("br", &quick)).await;
    assert_eq!((unchanged.status(), &unchanged.headers()[header::ETAG]), (StatusCode::NOT_MODIFIED, &quick));
    let mut names: Vec<&str> = unchanged.headers().keys().map(header::HeaderName::as_str).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        ["cache-control", "etag", "vary", "x-request-id"],
        "RFC 9110, 15.4.5, and a placeholder for the request id"
    );
    let second = fixture.get_with("key", &[], &accepting("br")).await;
    assert_ne!(second.headers()[header::ETAG], quick, "different bytes need a different tag");
    let length = |response: &Response| -> u32 {
        response.headers()[header::CONTENT_LENGTH].to_str().expect("text").parse().expect("a number")
    };
    assert!(length(&second) <= length(&first));
    let third = fixture.get_with("key", &[], &accepting("br")).await;
    assert_eq!(third.headers()[header::ETAG], second.headers()[header::ETAG]);
}

#[tokio::test]
async fn matching_tag_gets_304_and_each_variant_has_its_own() {
    let fixture = Fixture::new();
    let tag_of = |response: &Response| response.headers()[header::ETAG].to_str().expect("text").to_owned();
    let plain = tag_of(&fixture.get("key", &[]).await);
    let mut br = HeaderMap::new();
    br.insert(header::ACCEPT_ENCODING, "br".parse().expect("header"));
    let compressed = fixture.get_with("key", &[], &br).await;
    assert_eq!(compressed.headers()[header::CONTENT_ENCODING], "br");
    assert_ne!(tag_of(&compressed), plain);
    for (tags, status) in [
        (plain.clone(), StatusCode::NOT_MODIFIED),
        (format!("\"x\", W/{plain}"), StatusCode::NOT_MODIFIED),
        ("*".to_owned(), StatusCode::NOT_MODIFIED),
        (tag_of(&compressed), StatusCode::OK),
    ] {
        let mut headers = HeaderMap::new();
        headers.insert(header::IF_NONE_MATCH, tags.parse().expect("header"));
        let response = fixture.get_with("key", &[], &headers).await;
        assert_eq!(response.status(), status, "{tags}");
    }
    assert_eq!(fixture.runs(), 1);
}

#[tokio::test]
async fn tag_stays_valid_if_the_recomputed_document_is_equal() {
    let fixture = Fixture::new();
    let get = async |key, headers: &HeaderMap| {
        let same = async { Ok(TestAnswer { run: 0, filling: "lantern ".repeat(500), objects: Vec::new() }) };
        fixture.cache.respond(key, 60, headers, same).await.expect("answer")
    };
    for encoding in ["br", "zstd", "gzip"] {
        let quick = get(encoding, &accepting(encoding)).await.headers()[header::ETAG].clone();
        let thorough = get(encoding, &accepting(encoding)).await.headers()[header::ETAG].clone();
        assert_ne!(quick, thorough);
        fixture.change(&[]);
        get(encoding, &HeaderMap::new()).await;
        fixture.settled(0).await;
        // The new entry has no compressed variant yet.
        for tag in [&thorough, &quick] {
            let known = get(encoding, &knowing(encoding, tag)).await;
            assert_eq!((known.status(), &known.headers()[header::ETAG]), (StatusCode::NOT_MODIFIED, tag), "{encoding}");
        }
        assert_eq!(get(encoding, &accepting(encoding)).await.headers()[header::ETAG], quick, "{encoding}");
        let known = get(encoding, &knowing(encoding, &thorough)).await;
        assert_eq!(known.status(), StatusCode::NOT_MODIFIED, "{encoding}: only the quick variant existed");
        let other = if encoding == "gzip" { "br" } else { "gzip" };
        assert_eq!(get(encoding, &knowing(other, &thorough)).await.status(), StatusCode::OK, "tag of another variant");
    }
}

#[tokio::test]
async fn hardly_compressible_text_is_compressed_in_all_encodings() {
    let fixture = Fixture::new();
    // The text compresses to two fifths, so three variants exceed the budget.
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
    assert_eq!(ready, 2, "stored as far as the budget allows");
}
