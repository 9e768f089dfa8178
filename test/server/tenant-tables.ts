import sql, { type Sql } from 'sql-template-tag'
import type { Tenant } from '#server/platform/engine/tenant.ts'

/** Shared tables, which tenants read and never write. */
export const SHARED_TABLES = [
  ...[
    'agency_codes',
    'agency_directory',
    'announcements',
    'attachments',
    'bidders',
    'budget_item_texts',
    'budget_items',
    'budget_links',
    'budget_loads',
  ],
  ...[
    'budget_names',
    'budget_totals',
    'budget_years',
    'companies',
    'company_figures',
    'company_names',
    'company_projects',
    'company_slices',
  ],
  ...[
    'contracts',
    'department_spending',
    'department_texts',
    'departments',
    'document_values',
    'fact_switches',
    'field_sources',
    'keyword_blacklist',
    'line_channel',
    'loads',
    'match_values',
    'project_changes',
    'project_doubts',
    'project_filters',
    'project_spending',
  ],
  ...['project_texts', 'project_traits', 'project_version', 'projects', 'purchase_plans'],
  // Views that run with the rights of the caller, so that each tenant sees only its own matches.
  ...['report_matches', 'worded_matches'],
]
/** Tables that only the server uses, in no request of a signed-in user. */
export const SERVER_ONLY_TABLES = `
  ahead_loads ahead_parts backup_runs budget_quarantined_rows channel_messages coverage_counts coverage_days coverage_probes email_changes fact_checks fetched_facts intake_agencies intake_announcements intake_files intake_gaps
  intake_links intake_nights intake_queries intake_sources intake_units intake_versions job_leases job_runs known_devices line_events line_presses
  login_domains login_identities login_steps metric_minutes not_me_links organisation_joins organisation_logins passkey_challenges passkeys person_ids picture_days public_documents public_pages quarantined_rows recovery_codes
  refresh_tokens registrations schema_migrations short_links staged_chunks stale_departments totp_secrets use_counts used_mail_links`
  .trim()
  .split(/\s+/)

/** One row of each tenant table, with keys that contain the user's id. */
export const TENANT_ROWS: Readonly<Record<string, (tenant: Tenant, key: string) => Sql>> = {
  organisations: (tenant, key) => sql`
    insert into organisations (id, code, name, package, customer_config, areas_with_provinces) overriding system value
    values (${tenant.organisationId}::int, ${key}, ${key}, '', '{}', '{}')`,
  users: (tenant, key) => sql`
    insert into users (id, organisation_id, email, email_key, password_hash) overriding system value
    values (${tenant.userId}::int, ${tenant.organisationId}::int, ${key}, ${key}, 'none')`,
  sessions: (tenant, key) =>
    sql`insert into sessions (id, user_id, expires_at) values (${key}, ${tenant.userId}::int, now())`,
  password_resets: (tenant, key) => sql`
    insert into password_resets (token_hash, user_id, created_at, expires_at) values (${key}, ${tenant.userId}::int, now(), now())`,
  login_failures: (_tenant, key) =>
    sql`insert into login_failures (email_key, failures, first_failed_at) values (${key}, 1, now())`,
  audit_events: (tenant) => sql`
    insert into audit_events (kind, organisation_id, user_id) values ('login', ${tenant.organisationId}::int, ${tenant.userId}::int)`,
  usage_events: (tenant, key) => sql`
    insert into usage_events (organisation_id, user_id, at, type, description, text_search)
    values (${tenant.organisationId}::int, ${tenant.userId}::int, now(), 'open', ${key}, ${key})`,
  mails: (tenant, key) => sql`
    insert into mails (kind, dedupe_key, message_id, created_at, organisation_id, user_id)
    values ('x', ${key}, ${key}, now(), ${tenant.organisationId}::int, ${tenant.userId}::int)`,
  keyword_groups: (tenant, key) =>
    sql`insert into keyword_groups (organisation_id, name) values (${tenant.organisationId}::int, ${key})`,
  keywords: (tenant, key) => sql`
    insert into keywords (id, organisation_id, list, word, word_key) overriding system value
    values (${numberOf(key)}::int, ${tenant.organisationId}::int, 'include', ${key}, ${key})`,
  keyword_terms: (tenant, key) => sql`
    insert into keyword_terms (keyword_id, term_key, term, source, state, similarity, position)
    values (${numberOf(getTenantKey(tenant))}::int, ${key}, ${key}, 'user', 'auto', 1, 1)`,
  lesson_answers: (tenant, key) => sql`
    insert into lesson_answers (organisation_id, keyword_id, project_id, is_wanted, answered_at)
    values (${tenant.organisationId}::int, ${numberOf(getTenantKey(tenant))}::int, ${key}, true, now())`,
  term_advice: (tenant, key) => sql`
    insert into term_advice (user_id, organisation_id, keyword_id, facet, term_key, shown, hidden, excluded, projects, found_at)
    values (${tenant.userId}::int, ${tenant.organisationId}::int, ${numberOf(getTenantKey(tenant))}::int, 0, ${key}, 6, 6, 0, '{}', now())`,
  deleted_keywords: (tenant, key) => sql`
    insert into deleted_keywords (id, organisation_id, keyword, terms, deleted_at)
    values (${numberOf(key)}::int, ${tenant.organisationId}::int, '{}', '[]', now())`,
  jobs: (tenant, key) => sql`
    insert into jobs (kind, key, payload, organisation_id, user_id, requested_at, run_at)
    values ('x', ${key}, '{}', ${tenant.organisationId}::int, ${tenant.userId}::int, now(), now())`,
  match_exclusions: (tenant, key) => sql`
    insert into match_exclusions (organisation_id, project_id, list, word, load_id) values (${tenant.organisationId}::int, ${key}, '', '', 1)`,
  document_matches: (tenant, key) => sql`
    insert into document_matches (organisation_id, project_id, keyword_id, hash, page, found_at)
    values (${tenant.organisationId}::int, ${key}, ${numberOf(getTenantKey(tenant))}::int, ${key}, 1, now())`,
  match_rescues: (tenant, key) => sql`
    insert into match_rescues (organisation_id, project_id, list, word) values (${tenant.organisationId}::int, ${key}, '', '')`,
  // As for `match_versions`: this row must precede the rows of marks.
  mark_versions: (tenant) => sql`
    insert into mark_versions (user_id, version) values (${tenant.userId}::int, 'x')`,
  // This row must precede the rows of matches, because writing a match also writes to `match_versions`.
  match_versions: (tenant) => sql`
    insert into match_versions (organisation_id, version) values (${tenant.organisationId}::int, 'x')`,
  project_matches: (tenant, key) => sql`
    insert into project_matches (organisation_id, filters_id, words_id, first_load, project_id)
    values (${tenant.organisationId}::int, 1, 1, 1, ${key})`,
  match_words: (tenant, key) => sql`
    insert into match_words (organisation_id, matched_by, matched_words) values (${tenant.organisationId}::int, '{}', array[${key}::text])`,
  budget_matches: (tenant, key) => sql`
    insert into budget_matches (organisation_id, item_id, keywords, words)
    select ${tenant.organisationId}::int, i.id, '{}', array[${key}::text] from budget_items i`,
  budget_match_runs: (tenant, key) => sql`
    insert into budget_match_runs (organisation_id, fiscal_year, rules_version, load_id, matched_at)
    values (${tenant.organisationId}::int, ${numberOf(key)}::smallint, 1, 1, now())`,
  budget_link_decisions: (tenant, key) => sql`
    insert into budget_link_decisions (organisation_id, item_id, project_id, decision, decided_at)
    select ${tenant.organisationId}::int, i.id, ${key}, 'rejected', now() from budget_items i`,
  bookmarks: (tenant, key) => sql`insert into bookmarks (user_id, project_id) values (${tenant.userId}::int, ${key})`,
  labels: (tenant, key) =>
    sql`insert into labels (user_id, id, name, color) values (${tenant.userId}::int, ${key}, ${key}, 'sky')`,
  label_assignments: (tenant, key) => sql`
    insert into label_assignments (user_id, project_id, label_id) values (${tenant.userId}::int, ${key}, ${getTenantKey(tenant)})`,
  saved_filters: (tenant, key) => sql`
    insert into saved_filters (user_id, id, name, filter_data) values (${tenant.userId}::int, ${key}, ${key}, '{}')`,
  hidden_projects: (tenant, key) =>
    sql`insert into hidden_projects (user_id, project_id) values (${tenant.userId}::int, ${key})`,
  project_feedback: (tenant, key) => sql`
    insert into project_feedback (user_id, organisation_id, project_id, verdict, given_at)
    values (${tenant.userId}::int, ${tenant.organisationId}::int, ${key}, 'relevant', now())`,
  project_views: (tenant, key) => sql`
    insert into project_views (user_id, project_id, looked_at) values (${tenant.userId}::int, ${key}, now())`,
  queue_decisions: (tenant, key) => sql`
    insert into queue_decisions (user_id, project_id, load_id, decided_on) values (${tenant.userId}::int, ${key}, 1, '2026-11-21')`,
  notifications: (tenant, key) => sql`
    insert into notifications (user_id, organisation_id, type, project_id, created_at)
    values (${tenant.userId}::int, ${tenant.organisationId}::int, 'new', ${key}, now())`,
  report_mails: (tenant, key) => sql`
    insert into report_mails (user_id, load_id, organisation_id)
    select ${tenant.userId}::int, l.id, ${tenant.organisationId}::int from loads l where l.origin = ${key}`,
  report_exports: (tenant, key) => sql`
    insert into report_exports (id, organisation_id, user_id, format, query, columns, requested_at)
    values (${key}, ${tenant.organisationId}::int, ${tenant.userId}::int, 'csv', '{}', '{}', now())`,
  report_export_parts: (tenant, key) => sql`
    insert into report_export_parts (export_id, place, bytes) values (${getTenantKey(tenant)}, ${numberOf(key)}::int, '')`,
  invitations: (tenant, key) => sql`
    insert into invitations (organisation_id, email, email_key, role, token_hash, sent_at, expires_at)
    values (${tenant.organisationId}::int, ${key}, ${key}, 'member_user', ${key}, now(), now())`,
  join_requests: (tenant, key) => sql`
    insert into join_requests (organisation_id, email, email_key, name, requested_at)
    values (${tenant.organisationId}::int, ${key}, ${key}, 'x', now())`,
  follows: (tenant, key) => sql`
    insert into follows (user_id, organisation_id, kind, key, name, created_at)
    values (${tenant.userId}::int, ${tenant.organisationId}::int, 'project', ${key}, ${key}, now())`,
  follow_news: (tenant, key) => sql`
    insert into follow_news (user_id, organisation_id, kind, key, project_id, found_at)
    values (${tenant.userId}::int, ${tenant.organisationId}::int, 'project', ${key}, ${key}, now())`,
  contract_end_news: (tenant, key) => sql`
    insert into contract_end_news (user_id, organisation_id, project_id, contract_no, ends_on, step, found_at)
    values (${tenant.userId}::int, ${tenant.organisationId}::int, ${key}, ${key}, '2026-12-31', 90, now())`,
  push_devices: (tenant, key) => sql`
    insert into push_devices values (${key}, ${tenant.userId}::int, ${tenant.organisationId}::int, ${getTenantKey(tenant)}, ${key}, ${key}, 'x', 'x', ${key}, null, now())`,
  channel_settings: (tenant) => sql`
    insert into channel_settings values (${tenant.userId}::int, ${tenant.organisationId}::int, 'push', false, '{}', '20:00', '07:00', false)`,
  line_links: ({ userId: u, organisationId: o }, key) =>
    sql`insert into line_links values (${u}::int, ${o}::int, ${key}, ${key}, null, now())`,
  line_connects: ({ userId: u, organisationId: o }, key) =>
    sql`insert into line_connects values (${u}::int, ${o}::int, ${key}, null, null, null, now())`,
  line_groups: ({ organisationId: o }, key) =>
    sql`insert into line_groups (organisation_id, group_hash, connected_at) values (${o}::int, ${key}, now())`,
  line_group_codes: ({ userId: u, organisationId: o }, key) =>
    sql`insert into line_group_codes values (${o}::int, ${u}::int, ${key}, now())`,
  follow_settings: (tenant) => sql`
    insert into follow_settings (user_id, organisation_id, bell, mail) values (${tenant.userId}::int, ${tenant.organisationId}::int, '{}', '{}')`,
  saved_questions: (tenant, key) => sql`
    insert into saved_questions (user_id, organisation_id, id, name, address, monthly, on_change, created_at, mailed_month)
    values (${tenant.userId}::int, ${tenant.organisationId}::int, ${key}, ${key}, '{}', true, true, now(), '2026-11-01')`,
  saved_question_settings: (tenant) => sql`
    insert into saved_question_settings (user_id, organisation_id) values (${tenant.userId}::int, ${tenant.organisationId}::int)`,
  pursuit_boards: (tenant) => sql`
    insert into pursuit_boards (organisation_id, version) values (${tenant.organisationId}::int, 1)`,
  document_answers: (tenant, key) =>
    sql`insert into document_answers (organisation_id, host, model) values (${tenant.organisationId}::int, ${key}, 'x')`,
  qualifications: (tenant, key) => sql`
    insert into qualifications (organisation_id, profile) values (${tenant.organisationId}::int, ${JSON.stringify({ key })}::jsonb)`,
  pursuits: (tenant, key) => sql`
    insert into pursuits (organisation_id, project_id, stage, stage_since, created_at, changed_at)
    values (${tenant.organisationId}::int, ${key}, 'x', now(), now(), now())`,
  pursuit_events: (tenant, key) => sql`
    insert into pursuit_events (organisation_id, id, project_id, at, action) values (${tenant.organisationId}::int, ${numberOf(key)}::bigint, ${key}, now(), 'x')`,
  report_cards: (tenant, key) => sql`
    insert into report_cards (organisation_id, tax_id, name, noted_at)
    values (${tenant.organisationId}::int, ${`0${numberOf(key)}`.padEnd(13, '0')}, ${key}, now())`,
  draft_comments: (tenant, key) => sql`
    insert into draft_comments (organisation_id, project_id, commented_on, text, created_at)
    values (${tenant.organisationId}::int, ${key}, '2026-11-21', ${key}, now())`,
  pursuit_notes: (tenant, key) => sql`
    insert into pursuit_notes (organisation_id, project_id, id, place, text, created_at)
    values (${tenant.organisationId}::int, ${key}, ${key}, 1, ${key}, now())`,
  team_labels: (tenant, key) => sql`
    insert into team_labels (organisation_id, id, name, color, created_at) values (${tenant.organisationId}::int, ${key}, ${key}, 'sky', now())`,
  team_label_assignments: (tenant, key) => sql`
    insert into team_label_assignments (organisation_id, project_id, label_id, created_at)
    values (${tenant.organisationId}::int, ${key}, ${getTenantKey(tenant)}, now())`,
  team_view_starts: (tenant, key) => sql`
    insert into team_view_starts (user_id, organisation_id, owner_id, filter_id, name)
    values (${tenant.userId}::int, ${tenant.organisationId}::int, ${tenant.userId}::int, ${key}, ${key})`,
  note_files: (tenant, key) => sql`
    insert into note_files (organisation_id, id, project_id, user_id, hash, type, name, bytes, added_at, goes_at)
    values (${tenant.organisationId}::int, ${key}, ${key}, ${tenant.userId}::int, ${key}, 'pdf', ${key}, 1, now(), now())`,
  api_keys: (tenant, key) => sql`
    insert into api_keys (organisation_id, made_by, name, scopes, key_hash, ending, created_at)
    values (${tenant.organisationId}::int, ${tenant.userId}::int, ${key}, '{report}', ${key}, 'x', now())`,
  change_keys: (tenant, key) =>
    sql`insert into change_keys (user_id, key, made_at) values (${tenant.userId}::int, ${key}, now())`,
  webhooks: (tenant, key) => sql`
    insert into webhooks (id, organisation_id, name, url, events, secret, created_at) overriding system value values (${numberOf(key)}::int, ${tenant.organisationId}::int, ${key}, ${key}, '{match.new}', 'x', now())`,
  webhook_deliveries: (tenant, key) => sql`
    insert into webhook_deliveries (id, organisation_id, webhook_id, type, at, data, state, tries_until) values (${key}, ${tenant.organisationId}::int, ${numberOf(getTenantKey(tenant))}::int, 'x', now(), '{}', 'waiting', now())`,
  webhook_attempts: (tenant, key) => sql`
    insert into webhook_attempts (organisation_id, delivery_id, at, status, ms, answer) values (${tenant.organisationId}::int, ${getTenantKey(tenant)}, now(), 200, 1, ${key})`,
  calendar_feeds: (tenant, key) => sql`
    insert into calendar_feeds (organisation_id, user_id, source, token_hash, created_at)
    values (${tenant.organisationId}::int, ${tenant.userId}::int, 'starred', ${key}, now())`,
  documents: (tenant, key) => sql`
    insert into documents (id, organisation_id, project_id, user_id, hash, type, name, bytes, added_at)
    values (${key}, ${tenant.organisationId}::int, ${key}, ${tenant.userId}::int, ${key}, 'pdf', ${key}, 1, now())`,
  document_pages: (tenant, key) => sql`
    insert into document_pages (document_id, organisation_id, page, text, folded, trigrams)
    values (${getTenantKey(tenant)}, ${tenant.organisationId}::int, ${numberOf(key)}::int, '', '', '{}')`,
}

export const getTenantKey = ({ userId }: Tenant) => `k${userId}`
const numberOf = (key: string) => Number(key.slice(1))
