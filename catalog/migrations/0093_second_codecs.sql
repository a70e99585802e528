-- Codec of a video's second set of renditions. All videos have renditions in H.264.
alter table videos add column second_codec text check (second_codec in ('av1', 'hevc'));
