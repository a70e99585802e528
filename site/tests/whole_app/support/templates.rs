//! Finds the operation in the OpenAPI document to which an address belongs. Each path template becomes a regular expression built from
//! the schemas of its parameters.

use regex::Regex;
use serde_json::Value;

/// Every path template in the document.
pub struct Templates(Vec<Template>);

struct Template {
    name: String,
    item: Value,
    whole: Regex,
    params: Vec<(String, Value)>,
}

impl Templates {
    pub fn of(document: &Value) -> Self {
        let paths = document["paths"].as_object().unwrap();
        Self(paths.iter().map(|(name, item)| Template::new(document, name, item)).collect())
    }

    /// Returns the template that matches a path, and its path item.
    pub fn find(&self, path: &str) -> Option<(&str, &Value)> {
        let path = decoded(path);
        let found = self.0.iter().find(|template| template.fits(&path))?;
        Some((&found.name, &found.item))
    }

    /// Returns the query parameters in an address that the operation doesn't document.
    pub fn unknown_parameters(call: &Value, address: &str) -> Vec<String> {
        let query = address.split_once('?').map_or("", |(_, query)| query);
        let names = query.split('&').filter_map(|pair| pair.split('=').next()).filter(|name| !name.is_empty());
        let known = |name: &&str| {
            let mut params = call["parameters"].as_array().into_iter().flatten();
            params.any(|param| param["in"] == "query" && param["name"] == **name)
        };
        names.filter(|name| !known(name)).map(str::to_owned).collect()
    }
}

impl Template {
    fn new(document: &Value, name: &str, item: &Value) -> Self {
        let call = item.as_object().unwrap().values().next().unwrap();
        let params = call["parameters"].as_array().into_iter().flatten().filter(|param| param["in"] == "path");
        let params: Vec<(String, Value)> = params
            .map(|param| (param["name"].as_str().unwrap().to_owned(), resolved(document, &param["schema"]).clone()))
            .collect();
        let mut whole = regex::escape(name);
        for (param, schema) in &params {
            let place = format!(r"\{{{param}\}}");
            assert!(whole.contains(&place), "{name} has no {param}");
            whole = whole.replace(&place, &format!("(?P<{param}>{})", expression(schema)));
        }
        let whole = Regex::new(&format!("^{whole}$")).unwrap();
        Self { name: name.to_owned(), item: item.clone(), whole, params }
    }

    fn fits(&self, path: &str) -> bool {
        let Some(found) = self.whole.captures(path) else { return false };
        self.params.iter().all(|(name, schema)| is_within(schema, found.name(name).unwrap().as_str()))
    }
}

fn resolved<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    schema["$ref"].as_str().map_or(schema, |reference| document.pointer(&reference[1..]).unwrap())
}

fn expression(schema: &Value) -> String {
    if let Some(words) = schema["enum"].as_array() {
        let spelled = words.iter().map(|word| word.as_str().map_or_else(|| word.to_string(), str::to_owned));
        return spelled.map(|word| regex::escape(&word)).collect::<Vec<_>>().join("|");
    }
    if let Some(pattern) = schema["pattern"].as_str() {
        let inner = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$'));
        return inner.unwrap_or_else(|| panic!("{pattern} is not anchored")).to_owned();
    }
    assert!(schema["type"] == "integer", "schema would match any segment: {schema}");
    "0|[1-9][0-9]*".to_owned()
}

/// Checks what the expression can't express, which is bounds on length and value.
fn is_within(schema: &Value, text: &str) -> bool {
    let longest = schema["maxLength"].as_u64().is_none_or(|most| text.len() as u64 <= most);
    if schema["type"] != "integer" {
        return longest;
    }
    let number: i64 = text.parse().unwrap_or(i64::MAX);
    schema["minimum"].as_i64().is_none_or(|least| number >= least)
        && schema["maximum"].as_i64().is_none_or(|most| number <= most)
        && schema["multipleOf"].as_i64().is_none_or(|of| number % of == 0)
}

fn decoded(path: &str) -> String {
    let mut bytes = path.bytes();
    let mut out = Vec::new();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let digits: String = bytes.by_ref().take(2).map(char::from).collect();
            out.extend(u8::from_str_radix(&digits, 16));
        } else {
            out.push(byte);
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
