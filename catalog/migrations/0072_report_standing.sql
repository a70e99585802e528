-- Reports hide an object before a person looked only when earlier reports of their writers proved right, and no network or group of
-- accounts hides many.
alter table reports
    -- Whether enough earlier reports of its writer proved right, when it came.
    add column is_proven boolean not null default false,
    -- Whether its reason is looked at before all others: `reports.urgent_reasons`.
    add column is_urgent boolean not null default false,
    -- The network it came from (an IPv4 /24, an IPv6 /48), as a keyed hash: enough to count, useless to find it.
    add column network_key bytea,
    add constraint reports_network_key_length check (octet_length(network_key) = 32);
update reports set is_urgent = true where reason in ('minor', 'non_consensual');
create index reports_network on reports (network_key) where network_key is not null;
drop index reports_waiting;
create index reports_waiting on reports (is_urgent desc, is_severe desc, id) where state in ('open', 'in_review');

-- What reports hid, and what they would have hidden if their writers had not hidden too much that day. Kept for some days only.
create table report_hide_log (
    id bigint generated always as identity primary key,
    section text not null,
    object_id bigint not null,
    at timestamptz not null,
    -- Whether it was left as it was.
    is_held boolean not null,
    -- Who wrote the reports that weighed, and from which networks. Numbers of members, without a reference: the row is soon gone.
    reporters bigint[] not null,
    networks bytea[] not null
);
create index report_hide_log_at on report_hide_log (at);
