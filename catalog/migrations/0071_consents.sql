-- Consent can be taken back, and copies of documents go when nothing needs them any more.
alter table performer_consents
    -- Since when the copy is of nothing that is here; NULL while its object is, or can come back.
    add column unneeded_since timestamptz;
create index performer_consents_copies on performer_consents (id) where proof is not null;

-- What is gone for good and is still called something, for the sweep.
create index videos_gone on videos (id) where deleted_at = '-infinity' and title <> '-';
create index albums_gone on albums (id) where deleted_at = '-infinity' and title <> '-';
