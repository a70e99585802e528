//! Typo tolerance settings.

use std::collections::{BTreeSet, HashSet};

use deserr::{DeserializeError, Deserr, IntoValue, ValuePointerRef};
use milli_core::UserError;
use milli_core::update::{Setting, Settings};

use crate::http::parameter::unexpected;

#[derive(Debug, Clone, Deserr)]
#[deserr(rename_all = camelCase, deny_unknown_fields)]
pub struct Typo {
    #[deserr(default)]
    enabled: Setting<bool>,
    #[deserr(default)]
    min_word_size_for_typos: Setting<MinWordSize>,
    #[deserr(default)]
    disable_on_words: Setting<BTreeSet<String>>,
    #[deserr(default)]
    disable_on_attributes: Setting<HashSet<String>>,
    #[deserr(default)]
    disable_on_numbers: Setting<bool>,
}

#[derive(Debug, Clone)]
struct MinWordSize {
    one_typo: Setting<u8>,
    two_typos: Setting<u8>,
}

#[derive(Deserr)]
#[deserr(rename_all = camelCase, deny_unknown_fields)]
struct UncheckedSize {
    #[deserr(default)]
    one_typo: Setting<u8>,
    #[deserr(default)]
    two_typos: Setting<u8>,
}

impl<E: DeserializeError> Deserr<E> for MinWordSize {
    fn deserialize_from_value<V: IntoValue>(value: deserr::Value<V>, at: ValuePointerRef<'_>) -> Result<Self, E> {
        let UncheckedSize { one_typo, two_typos } = UncheckedSize::deserialize_from_value(value, at)?;
        match (one_typo, two_typos) {
            (Setting::Set(one), Setting::Set(two)) if one > two => {
                Err(unexpected(UserError::InvalidMinTypoWordLenSetting(one, two).to_string(), at))
            }
            _ => Ok(Self { one_typo, two_typos }),
        }
    }
}

/// Applies changes to milli's settings.
pub fn apply(typo: Setting<Typo>, settings: &mut Settings<'_, '_, '_>) {
    let typo = match typo {
        Setting::Set(typo) => typo,
        Setting::Reset => Typo {
            enabled: Setting::Reset,
            min_word_size_for_typos: Setting::Reset,
            disable_on_words: Setting::Reset,
            disable_on_attributes: Setting::Reset,
            disable_on_numbers: Setting::Reset,
        },
        Setting::NotSet => return,
    };
    let sizes = match typo.min_word_size_for_typos {
        Setting::Set(sizes) => sizes,
        Setting::Reset => MinWordSize { one_typo: Setting::Reset, two_typos: Setting::Reset },
        Setting::NotSet => MinWordSize { one_typo: Setting::NotSet, two_typos: Setting::NotSet },
    };
    apply_each! {
        settings:
        typo.enabled, set_autorize_typos, reset_authorize_typos;
        sizes.one_typo, set_min_word_len_one_typo, reset_min_word_len_one_typo;
        sizes.two_typos, set_min_word_len_two_typos, reset_min_word_len_two_typos;
        typo.disable_on_words, set_exact_words, reset_exact_words;
        typo.disable_on_attributes, set_exact_attributes, reset_exact_attributes;
        typo.disable_on_numbers, set_disable_on_numbers, reset_disable_on_numbers;
    }
}
