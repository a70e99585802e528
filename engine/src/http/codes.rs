//! Error codes with their status and type.

use axum::http::StatusCode;

macro_rules! codes {
    ($($variant:ident $code:literal $status:ident $kind:literal;)+) => {
        /// Every error code this engine returns.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Code { $($variant),+ }

        impl Code {
            /// Returns the code as spelled in the protocol, its status and its type.
            pub fn parts(self) -> (&'static str, StatusCode, &'static str) {
                match self { $(Self::$variant => ($code, StatusCode::$status, $kind)),+ }
            }
        }
    };
}

codes! {
    BadRequest "bad_request" BAD_REQUEST "invalid_request";
    DatabaseSizeLimitReached "database_size_limit_reached" INTERNAL_SERVER_ERROR "internal";
    DocumentNotFound "document_not_found" NOT_FOUND "invalid_request";
    IndexAlreadyExists "index_already_exists" CONFLICT "invalid_request";
    IndexNotFound "index_not_found" NOT_FOUND "invalid_request";
    IndexPrimaryKeyAlreadyExists "index_primary_key_already_exists" BAD_REQUEST "invalid_request";
    IndexPrimaryKeyMultipleCandidatesFound "index_primary_key_multiple_candidates_found" BAD_REQUEST "invalid_request";
    IndexPrimaryKeyNoCandidateFound "index_primary_key_no_candidate_found" BAD_REQUEST "invalid_request";
    Internal "internal" INTERNAL_SERVER_ERROR "internal";
    InvalidApiKey "invalid_api_key" FORBIDDEN "auth";
    InvalidContentType "invalid_content_type" UNSUPPORTED_MEDIA_TYPE "invalid_request";
    InvalidDocumentFields "invalid_document_fields" BAD_REQUEST "invalid_request";
    InvalidDocumentFilter "invalid_document_filter" BAD_REQUEST "invalid_request";
    InvalidDocumentGeoField "invalid_document_geo_field" BAD_REQUEST "invalid_request";
    InvalidDocumentId "invalid_document_id" BAD_REQUEST "invalid_request";
    InvalidDocumentIds "invalid_document_ids" BAD_REQUEST "invalid_request";
    InvalidDocumentLimit "invalid_document_limit" BAD_REQUEST "invalid_request";
    InvalidDocumentOffset "invalid_document_offset" BAD_REQUEST "invalid_request";
    InvalidDocumentRetrieveVectors "invalid_document_retrieve_vectors" BAD_REQUEST "invalid_request";
    InvalidFacetSearchExhaustiveFacetCount "invalid_facet_search_exhaustive_facet_count" BAD_REQUEST "invalid_request";
    InvalidFacetSearchFacetName "invalid_facet_search_facet_name" BAD_REQUEST "invalid_request";
    InvalidFacetSearchQuery "invalid_facet_search_query" BAD_REQUEST "invalid_request";
    InvalidIndexLimit "invalid_index_limit" BAD_REQUEST "invalid_request";
    InvalidIndexOffset "invalid_index_offset" BAD_REQUEST "invalid_request";
    InvalidIndexPrimaryKey "invalid_index_primary_key" BAD_REQUEST "invalid_request";
    InvalidIndexUid "invalid_index_uid" BAD_REQUEST "invalid_request";
    InvalidSearchAttributesToCrop "invalid_search_attributes_to_crop" BAD_REQUEST "invalid_request";
    InvalidSearchAttributesToHighlight "invalid_search_attributes_to_highlight" BAD_REQUEST "invalid_request";
    InvalidSearchAttributesToRetrieve "invalid_search_attributes_to_retrieve" BAD_REQUEST "invalid_request";
    InvalidSearchAttributesToSearchOn "invalid_search_attributes_to_search_on" BAD_REQUEST "invalid_request";
    InvalidSearchCropLength "invalid_search_crop_length" BAD_REQUEST "invalid_request";
    InvalidSearchCropMarker "invalid_search_crop_marker" BAD_REQUEST "invalid_request";
    InvalidSearchDistinct "invalid_search_distinct" BAD_REQUEST "invalid_request";
    InvalidSearchFacets "invalid_search_facets" BAD_REQUEST "invalid_request";
    InvalidSearchFilter "invalid_search_filter" BAD_REQUEST "invalid_request";
    InvalidSearchHighlightPostTag "invalid_search_highlight_post_tag" BAD_REQUEST "invalid_request";
    InvalidSearchHighlightPreTag "invalid_search_highlight_pre_tag" BAD_REQUEST "invalid_request";
    InvalidSearchHitsPerPage "invalid_search_hits_per_page" BAD_REQUEST "invalid_request";
    InvalidSearchLimit "invalid_search_limit" BAD_REQUEST "invalid_request";
    InvalidSearchMatchingStrategy "invalid_search_matching_strategy" BAD_REQUEST "invalid_request";
    InvalidSearchOffset "invalid_search_offset" BAD_REQUEST "invalid_request";
    InvalidSearchPage "invalid_search_page" BAD_REQUEST "invalid_request";
    InvalidSearchQ "invalid_search_q" BAD_REQUEST "invalid_request";
    InvalidSearchRetrieveVectors "invalid_search_retrieve_vectors" BAD_REQUEST "invalid_request";
    InvalidSearchShowRankingScore "invalid_search_show_ranking_score" BAD_REQUEST "invalid_request";
    InvalidSearchShowRankingScoreDetails "invalid_search_show_ranking_score_details" BAD_REQUEST "invalid_request";
    InvalidSearchSort "invalid_search_sort" BAD_REQUEST "invalid_request";
    InvalidSettingsDisplayedAttributes "invalid_settings_displayed_attributes" BAD_REQUEST "invalid_request";
    InvalidSettingsDistinctAttribute "invalid_settings_distinct_attribute" BAD_REQUEST "invalid_request";
    InvalidSettingsFaceting "invalid_settings_faceting" BAD_REQUEST "invalid_request";
    InvalidSettingsFilterableAttributes "invalid_settings_filterable_attributes" BAD_REQUEST "invalid_request";
    InvalidSettingsLocalizedAttributes "invalid_settings_localized_attributes" BAD_REQUEST "invalid_request";
    InvalidSettingsPagination "invalid_settings_pagination" BAD_REQUEST "invalid_request";
    InvalidSettingsRankingRules "invalid_settings_ranking_rules" BAD_REQUEST "invalid_request";
    InvalidSettingsSearchCutoffMs "invalid_settings_search_cutoff_ms" BAD_REQUEST "invalid_request";
    InvalidSettingsSearchableAttributes "invalid_settings_searchable_attributes" BAD_REQUEST "invalid_request";
    InvalidSettingsSortableAttributes "invalid_settings_sortable_attributes" BAD_REQUEST "invalid_request";
    InvalidSettingsStopWords "invalid_settings_stop_words" BAD_REQUEST "invalid_request";
    InvalidSettingsSynonyms "invalid_settings_synonyms" BAD_REQUEST "invalid_request";
    InvalidSettingsTypoTolerance "invalid_settings_typo_tolerance" BAD_REQUEST "invalid_request";
    InvalidStoreFile "invalid_store_file" INTERNAL_SERVER_ERROR "internal";
    InvalidSwapDuplicateIndexFound "invalid_swap_duplicate_index_found" BAD_REQUEST "invalid_request";
    InvalidSwapIndexes "invalid_swap_indexes" BAD_REQUEST "invalid_request";
    InvalidTaskFrom "invalid_task_from" BAD_REQUEST "invalid_request";
    InvalidTaskLimit "invalid_task_limit" BAD_REQUEST "invalid_request";
    InvalidTaskReverse "invalid_task_reverse" BAD_REQUEST "invalid_request";
    InvalidTaskStatuses "invalid_task_statuses" BAD_REQUEST "invalid_request";
    InvalidTaskTypes "invalid_task_types" BAD_REQUEST "invalid_request";
    InvalidTaskUids "invalid_task_uids" BAD_REQUEST "invalid_request";
    IoError "io_error" UNPROCESSABLE_ENTITY "system";
    MalformedPayload "malformed_payload" BAD_REQUEST "invalid_request";
    MaxFieldsLimitExceeded "max_fields_limit_exceeded" BAD_REQUEST "invalid_request";
    MethodNotAllowed "method_not_allowed" METHOD_NOT_ALLOWED "invalid_request";
    MissingAuthorizationHeader "missing_authorization_header" UNAUTHORIZED "auth";
    MissingContentType "missing_content_type" UNSUPPORTED_MEDIA_TYPE "invalid_request";
    MissingDocumentFilter "missing_document_filter" BAD_REQUEST "invalid_request";
    MissingDocumentId "missing_document_id" BAD_REQUEST "invalid_request";
    MissingFacetSearchFacetName "missing_facet_search_facet_name" BAD_REQUEST "invalid_request";
    MissingIndexUid "missing_index_uid" BAD_REQUEST "invalid_request";
    MissingPayload "missing_payload" BAD_REQUEST "invalid_request";
    MissingSwapIndexes "missing_swap_indexes" BAD_REQUEST "invalid_request";
    NoSpaceLeftOnDevice "no_space_left_on_device" UNPROCESSABLE_ENTITY "system";
    NotFound "not_found" NOT_FOUND "invalid_request";
    NotImplemented "not_implemented" NOT_IMPLEMENTED "invalid_request";
    PayloadTooLarge "payload_too_large" PAYLOAD_TOO_LARGE "invalid_request";
    TaskNotFound "task_not_found" NOT_FOUND "invalid_request";
    TooManySearchRequests "too_many_search_requests" SERVICE_UNAVAILABLE "system";
    Unavailable "unavailable" SERVICE_UNAVAILABLE "system";
}
