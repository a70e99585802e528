-- Language spoken in a video, or null if unknown or if nobody speaks. The language of the title says nothing about it.
alter table videos
    add column spoken text,
    add constraint videos_spoken_known check (spoken in ('en', 'ru', 'de', 'fr', 'es', 'pl', 'it', 'pt', 'ja', 'nl'));
