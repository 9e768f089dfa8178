-- Four bins a decade for the money filters (decision 0038): 18 bins and "unknown" take five bits each, so that SME stands beside the provinces.
-- The column is made anew, and with it the index that carries it: each row is written once.
alter table project_matches drop column packed;
alter table project_matches add column packed bytea not null generated always as (
    int2send(status) || int2send(movement) || int2send(criteria) || int2send(method) || int2send(method_type)
    || int2send((
      (case when is_sme then 16384 else 0 end) | (coalesce(project_province, 0)::int << 7) | coalesce(dept_province, 0)::int
    )::smallint)
    -- bins of MONEY_BINS (contract/report/report.ts), upper bound included; 31 = unknown
    || int2send((
      case when budget_satang is null then 31 else width_bucket(budget_satang - 1, '{10000000,18000000,32000000,56000000,100000000,180000000,320000000,560000000,1000000000,1800000000,3200000000,5600000000,10000000000,18000000000,32000000000,56000000000,100000000000}'::bigint[]) end
      | (case when estimate_satang is null then 31 else width_bucket(estimate_satang - 1, '{10000000,18000000,32000000,56000000,100000000,180000000,320000000,560000000,1000000000,1800000000,3200000000,5600000000,10000000000,18000000000,32000000000,56000000000,100000000000}'::bigint[]) end << 5)
      | (case when winner_satang is null then 31 else width_bucket(winner_satang - 1, '{10000000,18000000,32000000,56000000,100000000,180000000,320000000,560000000,1000000000,1800000000,3200000000,5600000000,10000000000,18000000000,32000000000,56000000000,100000000000}'::bigint[]) end << 10)
    )::smallint)
    -- days since 2000-01-01; -32768 = unknown
    || int2send(case when draft_published_on is null then -32768 else greatest(-32767, least(32767, draft_published_on - date '2000-01-01')) end::smallint)
    || int2send(case when draft_discussion_ends_on is null then -32768 else greatest(-32767, least(32767, draft_discussion_ends_on - date '2000-01-01')) end::smallint)
    || int2send(case when bidding_invited_on is null then -32768 else greatest(-32767, least(32767, bidding_invited_on - date '2000-01-01')) end::smallint)
    || int2send(case when submission_ends_on is null then -32768 else greatest(-32767, least(32767, submission_ends_on - date '2000-01-01')) end::smallint)
    || int2send(case when winner_announced_on is null then -32768 else greatest(-32767, least(32767, winner_announced_on - date '2000-01-01')) end::smallint)
  ) stored;

create index project_matches_report on project_matches (organisation_id, is_archived, movement_on desc nulls last, project_id)
  include (
    is_sme, project_province, first_load, changed_load, budget_satang, estimate_satang, winner_satang, draft_published_on,
    draft_discussion_ends_on, bidding_invited_on, submission_ends_on, winner_announced_on, status, movement, criteria, method,
    method_type, dept_province, packed
  );
