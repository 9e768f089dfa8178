import sql, { join, raw, type Sql } from 'sql-template-tag'
import { getFoldedTextTrigrams } from '#contract/thai/fold-document-text.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { buildLoginRows } from '../canary/login-rows.ts'
import { putBudget } from './budget-world.ts'
import { addLoad, putProjects } from './report-world.ts'

/** Part of every text that organisation A owns; no answer to B may contain it (R24). */
export const CANARY = 'นกขมิ้นเหลืองอ่อน'

/**
 * Ids of A's rows and nonexistent ids have the same length and occur nowhere else, so that answers can be compared byte
 * by byte.
 */
const FIRST_ID = 7_100_001
const NOBODYS = 7_900_000
const AT = sql`'2026-11-21T01:00:00Z'::timestamptz`

/** Ids by kind: A's, or nonexistent ones of the same form. */
export type CanaryIds = Readonly<Record<IdKind, string>>
type IdKind =
  | 'organisation'
  | 'user'
  | 'invitation'
  | 'calendarFeed'
  | 'apiKey'
  | 'loginDomain'
  | 'lineGroup'
  | 'device'
  | 'passkey'
  | 'webhook'
  | 'delivery'
  | 'joinRequest'
  | 'question'
  | 'pushDevice'
  | 'keyword'
  | 'aiKeyword'
  | 'deletedKeyword'
  | 'group'
  | 'label'
  | 'filter'
  | 'notification'
  | 'export'
  | 'session'
  | 'project'
  | 'document'
  | 'note'
  | 'file'
  | 'budgetItem'

export type CanaryWorld = {
  readonly organisationId: number
  readonly as: CanaryIds
  readonly nobodys: CanaryIds
  readonly shared: { readonly project: string; readonly budgetItem: string }
}

/**
 * Creates the demo organisations. A (tharamek) has a row in every table it can own, with the canary in each text; B
 * (noensai) may use every part of the product.
 */
export async function makeCanaryWorld(db: Db): Promise<CanaryWorld> {
  for (const table of ['organisations', 'users', 'keywords', 'keyword_groups', 'notifications'])
    await db.script(`alter table ${table} alter column id restart with ${FIRST_ID}`)
  await seedSampleOrganisations(db, '2026-11-21')
  await db.script(`
    update organisations set is_access_budget_year = true, allow_access_budget_year = '2569,2570', is_company_compare = true,
      is_access_company_comparison = true where code = 'noensai'`)
  const [owner] = await db.query<{ id: number; organisation_id: number }>(sql`
    select id, organisation_id from users where email_key = 'manager@tharamek.example'`)
  const { id: user, organisation_id: organisation } = owner!
  const ownProjectId = '67110000001'
  const shared = '67110000002'
  const load = await addLoad(db)
  await putProjects(db, load, [
    { id: ownProjectId },
    { id: shared, name: 'ก่อสร้างถนนและติดตั้งกล้อง', method: 'e_bidding' },
    // This project is in no report, and A has hidden it.
    { id: HIDDEN, name: 'จ้างเหมาบริการ' },
  ])
  await db.transaction((tx) => matchDataLoadProjects(tx, load))
  await putBudget(db, 2570, [{}])
  const [item] = await db.query<{ id: number }>(sql`select id from budget_items`)
  const ids = await plant(db, { user, organisation, load, projectId: ownProjectId, item: item!.id })
  await markEveryText(db, organisation)
  const as = {
    ...ids,
    organisation: String(organisation),
    user: String(user),
    project: ownProjectId,
    budgetItem: String(item!.id),
  }
  return {
    organisationId: organisation,
    as,
    nobodys: {
      organisation: String(NOBODYS + 1),
      user: String(NOBODYS + 2),
      keyword: String(NOBODYS + 3),
      aiKeyword: String(NOBODYS + 4),
      deletedKeyword: String(NOBODYS + 5),
      group: String(NOBODYS + 6),
      notification: String(NOBODYS + 7),
      invitation: String(NOBODYS + 8),
      calendarFeed: String(NOBODYS + 9),
      joinRequest: String(NOBODYS + 10),
      apiKey: String(NOBODYS + 11),
      loginDomain: String(NOBODYS + 14),
      lineGroup: String(NOBODYS + 13),
      device: String(NOBODYS + 22),
      passkey: String(NOBODYS + 23),
      webhook: String(NOBODYS + 12),
      delivery: as.delivery.replace(/^./, 'x'),
      question: as.question.replace(/^./, 'x'),
      pushDevice: as.pushDevice.replace(/^./, 'x'),
      label: as.label.replace(/^./, 'x'),
      filter: as.filter.replace(/^./, 'x'),
      export: as.export.replace(/^./, 'x'),
      session: as.session.replace(/^./, 'x'),
      project: '67999999991',
      document: as.document.replace(/^./, 'x'),
      note: as.note.replace(/^./, 'x'),
      file: as.file.replace(/^./, 'x'),
      budgetItem: as.budgetItem,
    },
    shared: { project: shared, budgetItem: String(item!.id) },
  }
}

const HIDDEN = '67110000003'

type Planted = { user: number; organisation: number; load: number; projectId: string; item: number }

async function plant(db: Db, { user, organisation, load, projectId, item }: Planted) {
  const u = sql`${user}::int`
  const o = sql`${organisation}::int`
  const l = sql`${load}::bigint`
  const [group] = await db.query<{ id: number }>(
    sql`insert into keyword_groups (organisation_id, name) values (${o}, 'กลุ่ม') returning id`,
  )
  const [word] = await db.query<{ id: number }>(sql`
    insert into keywords (organisation_id, list, word, word_key, group_id, created_by)
    values (${o}, 'include', 'คำ', 'คำ', ${group!.id}::int, ${u}) returning id`)
  const [ai] = await db.query<{ id: number }>(sql`
    insert into keywords (organisation_id, list, word, word_key) values (${o}, 'ai_include', 'คำ', 'คำ') returning id`)
  const [notification] = await db.query<{ id: number }>(sql`
    insert into notifications (user_id, organisation_id, type, export_id, file_name, project_id, created_at)
    values (${u}, ${o}, 'Export_ready', 'export', 'file', ${projectId}, ${AT}) returning id`)
  const deletedKeyword = FIRST_ID + 500_000
  const invitation = FIRST_ID + 500_001
  const calendarFeed = FIRST_ID + 500_002
  const joinRequest = FIRST_ID + 500_003
  const apiKey = FIRST_ID + 500_004
  const loginDomain = FIRST_ID + 500_007
  const lineGroup = FIRST_ID + 500_006
  const device = FIRST_ID + 500_015
  const passkey = FIRST_ID + 500_016
  /** A user with a second factor. A itself signs in by password alone. */
  const careful = sql`(select id from users where organisation_id = ${o} and id <> ${u} order by id limit 1)`
  const webhook = FIRST_ID + 500_005
  const statements: Sql[] = [
    sql`insert into keyword_terms (keyword_id, term_key, term, source, state, similarity, position)
      values (${ai!.id}::int, 'คำ', 'คำ', 'user', 'approved', 1, 0)`,
    sql`insert into lesson_answers (organisation_id, keyword_id, project_id, is_wanted, answered_by, answered_at)
      values (${o}, ${ai!.id}::int, ${projectId}, true, ${u}, ${AT})`,
    sql`insert into term_advice (user_id, organisation_id, keyword_id, facet, term_key, shown, hidden, excluded, projects, found_at)
      values (${u}, ${o}, ${ai!.id}::int, 0, 'คำ', 6, 6, 0, ${[HIDDEN, CANARY]}::text[], ${AT})`,
    sql`insert into deleted_keywords (id, organisation_id, keyword, terms, answers, deleted_at, deleted_by)
      select ${deletedKeyword}::int, organisation_id, to_jsonb(k) || ${JSON.stringify({ id: deletedKeyword, word: CANARY })}::jsonb,
        ${JSON.stringify([{ term: CANARY }])}::jsonb, ${JSON.stringify([{ project_id: CANARY }])}::jsonb, ${AT}, ${u} from keywords k where id = ${word!.id}::int`,
    sql`insert into documents (id, organisation_id, project_id, user_id, hash, type, name, bytes, state, kind, page_count, facts, left_out, added_at)
      values ('document-of-a', ${o}, ${projectId}, ${u}, ${'ab'.repeat(32)}, 'pdf', 'ประกาศ', 8, 'read', 'other', 1, ${JSON.stringify([{ sentence: CANARY, fact: 'title', state: 'unsure', page: 1, offset: 0 }])}::jsonb, ${JSON.stringify([{ name: CANARY, reason: 'template' }])}::jsonb, ${AT})`,
    sql`insert into invitations (id, organisation_id, email, email_key, role, token_hash, sent_at, expires_at) overriding system value
      values (${invitation}::int, ${o}, 'x', 'x', 'member_user', 'hash', ${AT}, '2026-12-20')`,
    sql`insert into join_requests (id, organisation_id, email, email_key, name, requested_at) overriding system value
      values (${joinRequest}::int, ${o}, 'y', 'y', 'x', ${AT})`,
    sql`insert into document_pages (document_id, organisation_id, page, text, folded, trigrams)
      values ('document-of-a', ${o}, 1, 'ประกาศ', 'ประกาศ', ${[-organisation, ...getFoldedTextTrigrams('ประกาศ')]}::int[])`,
    sql`insert into pursuit_boards (organisation_id, version, stages, template, price_roles)
      values (${o}, 2, ${JSON.stringify([{ id: 's1', name: CANARY, kind: 'open' }])}::jsonb, ${JSON.stringify([CANARY])}::jsonb, '{super_user}')`,
    sql`insert into qualifications (organisation_id, profile) values (${o}, ${JSON.stringify({ certificates: [{ name: CANARY, number: CANARY, expires_on: null }] })}::jsonb)`,
    sql`insert into document_answers (organisation_id, host, model, asked_on, asked) values (${o}, ${CANARY}, ${CANARY}, '2026-11-21', 3)`,
    sql`insert into pursuits (organisation_id, project_id, stage, stage_since, owner_id, decision, reason, lost_reason, decided_by, checklist, created_by, created_at, changed_at)
      values (${o}, ${projectId}, 's1', ${AT}, ${u}, 'bid', 'x', 'x', ${u}, ${JSON.stringify([{ id: 't1', text: CANARY, assignee: null, done_by: null, done_at: null }])}::jsonb, ${u}, ${AT}, ${AT})`,
    sql`insert into pursuit_notes (organisation_id, project_id, id, place, user_id, text, created_at) values (${o}, ${projectId}, 'note-of-a', 1, ${u}, 'x', ${AT})`,
    sql`insert into report_cards (organisation_id, tax_id, name, points, noted_at) values (${o}, '0105536000011', ${CANARY}, 30, ${AT})`,
    sql`insert into draft_comments (organisation_id, project_id, user_id, commented_on, text, created_at) values (${o}, ${projectId}, ${u}, '2026-11-20', ${CANARY}, ${AT})`,
    sql`insert into team_labels (organisation_id, id, name, color, created_by, created_at) values (${o}, 'label-of-a', 'x', 'sky', ${u}, ${AT})`,
    sql`insert into team_label_assignments (organisation_id, project_id, label_id, created_at) values (${o}, ${projectId}, 'label-of-a', ${AT})`,
    sql`insert into note_files (organisation_id, id, project_id, note_id, user_id, hash, type, name, bytes, added_at)
      values (${o}, 'file-of-a', ${projectId}, 'note-of-a', ${u}, ${'cd'.repeat(32)}, 'text', 'x.txt', 8, ${AT})`,
    sql`insert into pursuit_events (organisation_id, id, project_id, user_id, at, action, was, became) values (${o}, 2, ${projectId}, ${u}, ${AT}, 'edit_item', 'x', 'x')`,
    sql`insert into follows values (${u}, ${o}, 'project', ${projectId}, 'x', ${AT})`,
    sql`insert into follow_news (user_id, organisation_id, kind, key, project_id, found_at) values (${u}, ${o}, 'project', ${projectId}, ${projectId}, ${AT})`,
    sql`insert into contract_end_news (user_id, organisation_id, project_id, contract_no, ends_on, step, found_at)
      values (${u}, ${o}, ${projectId}, ${CANARY}, '2026-12-31', 90, ${AT})`,
    sql`insert into channel_settings values (${u}, ${o}, 'line', true, '{Mentioned}', '20:00', '07:00', false, '{filter-of-a}')`,
    sql`insert into channel_messages (user_id, organisation_id, channel, kind, dedupe_key, created_at, due_at, state, failure)
      values (${u}, ${o}, 'line', 'Mentioned', 'x', ${AT}, ${AT}, 'failed', 'x')`,
    sql`insert into follow_settings values (${u}, ${o}, '{project}', '{project}')`,
    sql`insert into saved_questions (user_id, organisation_id, id, name, address, monthly, on_change, created_at, mailed_month, looked_on, winners, leaders)
      values (${u}, ${o}, 'question-of-a', 'x', ${JSON.stringify({ project_name__in: CANARY })}::jsonb, true, true, ${AT}, '2026-11-01', '2026-11-21', '{1}', '{1}')`,
    sql`insert into saved_question_settings (user_id, organisation_id, mailed_on) values (${u}, ${o}, '2026-11-21')`,
    sql`insert into bookmarks values (${u}, ${projectId}, ${AT}), (${u}, ${CANARY}, ${AT})`,
    sql`insert into hidden_projects values (${u}, ${CANARY}, ${AT}), (${u}, ${HIDDEN}, ${AT})`,
    sql`insert into project_feedback values (${u}, ${o}, ${projectId}, 'relevant', false, ${AT}), (${u}, ${o}, ${CANARY}, 'seen', false, ${AT})`,
    sql`insert into project_views values (${u}, ${projectId}, ${AT}, ${AT})`,
    sql`insert into labels values (${u}, 'label-of-a', 'ป้าย', 'rose', ${AT})`,
    sql`insert into label_assignments values (${u}, ${projectId}, 'label-of-a', ${AT})`,
    sql`insert into saved_filters (user_id, id, name, filter_data, is_send, shared_with) values (${u}, 'filter-of-a', 'ตัวกรอง',
      ${JSON.stringify({ filter: {}, search: [{ key: 'project_name__in', value: CANARY, negation: false }] })}::jsonb, true, ${o})`,
    sql`insert into team_view_starts (user_id, organisation_id, owner_id, filter_id, name) values (${u}, ${o}, ${u}, 'filter-of-a', 'x')`,
    sql`insert into calendar_feeds (id, organisation_id, user_id, source, filter_id, token_hash, created_at) overriding system value
      values (${calendarFeed}::int, ${o}, ${u}, 'filter', 'filter-of-a', 'hash', ${AT})`,
    sql`insert into line_channel (id, basic_id) values (1, '@tamngan')`,
    sql`insert into line_links values (${u}, ${o}, 'hash', 'sealed', null, ${AT})`,
    sql`insert into line_connects values (${u}, ${o}, 'hash', null, null, null, '2026-12-20')`,
    sql`insert into line_group_codes values (${o}, ${u}, 'hash', '2026-12-20')`,
    sql`insert into line_groups (id, organisation_id, group_hash, connected_by, connected_at) overriding system value
      values (${lineGroup}::int, ${o}, 'hash', ${u}, ${AT})`,
    sql`insert into api_keys (id, organisation_id, made_by, name, scopes, key_hash, ending, created_at) overriding system value
      values (${apiKey}::int, ${o}, ${u}, 'x', '{report}', 'hash', 'x', ${AT})`,
    ...buildLoginRows({ organisation: o, user: u, careful, invitation, loginDomain, at: AT }),
    sql`insert into webhooks (id, organisation_id, made_by, name, url, events, view_owner, view_id, secret, old_secret, old_secret_until, created_at, paused_at, pause_reason)
      overriding system value
      values (${webhook}::int, ${o}, ${u}, 'x', 'x', '{match.new}', ${u}, 'filter-of-a', 'sealed', 'sealed', '2026-12-20', ${AT}, ${AT}, 'gone')`,
    sql`insert into webhook_deliveries (id, organisation_id, webhook_id, type, project_id, at, data, state, reason, tries_until)
      values ('delivery-of-a', ${o}, ${webhook}::int, 'pursuit.stage', ${projectId}, ${AT},
        ${JSON.stringify({ project: { project_id: CANARY, name: CANARY }, stage: { id: 's1', name: CANARY, kind: 'open' } })}::jsonb, 'dead', 'gone', ${AT})`,
    sql`insert into webhook_attempts (organisation_id, delivery_id, at, fault, ms, answer) values (${o}, 'delivery-of-a', ${AT}, 'x', 1, 'x')`,
    sql`insert into report_exports (id, organisation_id, user_id, idempotency_key, format, query, columns, requested_at, total, found, bytes)
      values ('export-of-a', ${o}, ${u}, 'key', 'csv', ${JSON.stringify({ q: CANARY })}::jsonb, '{name}', ${AT}, 1, 1, 60)`,
    sql`insert into report_export_parts values ('export-of-a', 0, ${Buffer.from(CANARY)}::bytea)`,
    sql`insert into queue_decisions values (${u}, ${projectId}, ${l}, '2026-11-21')`,
    sql`insert into budget_matches values (${o}, ${item}::int, '{1}', '{คำ}', 'คำ')`,
    sql`insert into budget_match_runs values (${o}, 2570, 1, 1, ${AT})`,
    sql`insert into budget_links (item_id, project_id, confidence, reasons, state) values (${item}::int, ${projectId}, 0, '{}', 1)`,
    sql`insert into budget_link_decisions values (${o}, ${item}::int, ${projectId}, 'confirmed', ${u}, ${AT})`,
    sql`insert into match_rescues (organisation_id, project_id, list, word) values (${o}, ${projectId}, 'exclude', 'คำ')`,
    sql`insert into document_matches (organisation_id, project_id, keyword_id, hash, page, load_id, found_at, told_at)
      values (${o}, ${projectId}, ${word!.id}::int, ${'ef'.repeat(32)}, 1, ${l}, ${AT}, ${AT})`,
    sql`insert into public_documents (hash, project_id, name, link, fetched_at) values (${'ef'.repeat(32)}, ${projectId}, ${CANARY}, ${CANARY}, ${AT})`,
    sql`insert into public_pages (hash, page, text, folded, trigrams) values (${'ef'.repeat(32)}, 1, ${CANARY}, ${CANARY}, '{}')`,
    sql`insert into match_exclusions values (${o}, ${projectId}, 'exclude', 'คำ', ${l})`,
    sql`insert into jobs (kind, key, payload, organisation_id, user_id, state, requested_at, run_at, finished_at, progress, last_error)
      values ('export', 'export-of-a', ${JSON.stringify({ export: 'export-of-a' })}::jsonb, ${o}, ${u}, 'done', ${AT}, ${AT}, ${AT}, ${JSON.stringify({ done: 1, note: CANARY })}::jsonb, 'x'),
        ('match', ${String(organisation)}, ${JSON.stringify({ expressions: [CANARY] })}::jsonb, ${o}, null, 'dead', ${AT}, ${AT}, ${AT}, null, 'x')`,
    sql`insert into usage_events (organisation_id, user_id, at, type, description, info, text_search)
      values (${o}, ${u}, ${AT}, 'search', 'ค้นหา', ${JSON.stringify([{ name: CANARY, value: CANARY }])}::jsonb, 'คำ')`,
    sql`insert into audit_events (kind, organisation_id, user_id, address, request_id, detail)
      values ('keywords_changed', ${o}, ${u}, 'x', 'x', ${JSON.stringify({ word: CANARY })}::jsonb)`,
    sql`insert into report_mails (user_id, load_id, organisation_id, state) values (${u}, ${l}, ${o}, 'failed')`,
    sql`insert into mails (kind, dedupe_key, message_id, sealed, state, created_at, organisation_id, user_id)
      values ('report', 'a', 'a', null, 'sent', ${AT}, ${o}, ${u})`,
    sql`insert into sessions (id, user_id, user_agent, address, created_at, last_seen_at, expires_at)
      values ('session-of-a', ${u}, 'x', 'x', ${AT}, ${AT}, '2026-12-20')`,
    sql`insert into push_devices (id, user_id, organisation_id, session_id, endpoint, endpoint_hash, p256dh, auth, secret_hash, created_at)
      values ('device-of-a', ${u}, ${o}, 'session-of-a', 'x', 'x', 'x', 'x', 'x', ${AT})`,
    sql`insert into known_devices (id, user_id, token_hash, user_agent, address, created_at, used_at, trusted_until) overriding system value
      values (${device}::int, ${u}, 'hash', 'x', 'x', ${AT}, ${AT}, '2026-12-20')`,
    sql`insert into passkeys (id, user_id, credential_id, public_key, sign_count, transports, name, created_at) overriding system value
      values (${passkey}::int, ${careful}, 'id', 'key', 1, '{usb}', 'x', ${AT})`,
    sql`insert into totp_secrets (user_id, sealed, created_at, confirmed_at) values (${careful}, 'sealed', ${AT}, ${AT})`,
    sql`insert into recovery_codes (user_id, code_hash, created_at) values (${careful}, 'hash', ${AT})`,
    sql`insert into passkey_challenges (challenge, user_id, purpose, expires_at) values ('challenge', ${careful}, 'factor', '2026-12-20')`,
    sql`insert into login_steps (token_hash, user_id, expires_at) values ('hash', ${careful}, '2026-12-20')`,
    sql`insert into email_changes (user_id, old_email, new_email, new_email_key, old_token_hash, new_token_hash, created_at, expires_at)
      values (${u}, 'x', 'x', 'x', 'old', 'new', ${AT}, '2026-12-20')`,
    sql`insert into not_me_links (token_hash, user_id, kind, since, created_at, expires_at) values ('hash', ${careful}, 'new_device', ${AT}, ${AT}, '2026-12-20')`,
    sql`insert into refresh_tokens (hash, session_id, created_at) values ('hash', 'session-of-a', ${AT})`,
    sql`insert into password_resets values ('hash', ${u}, ${AT}, '2026-12-20')`,
    sql`insert into registrations (code_hash, terms_version, terms_accepted_at, created_at, expires_at, user_id) values ('hash', '1', ${AT}, ${AT}, ${AT}, ${u})`,
    sql`update users set first_name = 'x', last_name = 'x', customize_report_table =
      ${JSON.stringify([{ id: CANARY, field: 'name', title: CANARY, showHideColumn: true, currentPosition: 0, defaultPosition: 0 }])}::jsonb where id = ${u}`,
    sql`update organisations set discover_channel = 'x', customer_config = customer_config || ${JSON.stringify({ note: CANARY })}::jsonb where id = ${o}`,
    sql`update match_words set reasons = ${JSON.stringify([{ keyword: word!.id, terms: [CANARY] }])}::jsonb where organisation_id = ${o}`,
  ]
  for (const statement of statements) await db.execute(statement)
  return {
    keyword: String(word!.id),
    aiKeyword: String(ai!.id),
    deletedKeyword: String(deletedKeyword),
    group: String(group!.id),
    notification: String(notification!.id),
    ...{ label: 'label-of-a', filter: 'filter-of-a', export: 'export-of-a', session: 'session-of-a' },
    ...{ document: 'document-of-a', note: 'note-of-a', file: 'file-of-a' },
    invitation: String(invitation),
    calendarFeed: String(calendarFeed),
    joinRequest: String(joinRequest),
    apiKey: String(apiKey),
    loginDomain: String(loginDomain),
    lineGroup: String(lineGroup),
    device: String(device),
    passkey: String(passkey),
    webhook: String(webhook),
    delivery: 'delivery-of-a',
    question: 'question-of-a',
    pushDevice: 'device-of-a',
  }
}

/** Columns without user-written text: ids, keys, words of a fixed list, settings that must stay readable. */
const NO_TEXT = new RegExp(
  `^(${[
    String.raw`\w+\.(id|project_id|document_id|bundle_id|note_id|label_id|export_id|session_id|code_hash|token_hash|hash|parent_hash|role|kind|type|list|state|format|source|color|decision|code)`,
    String.raw`calendar_feeds\.(source|filter_id|view_id)|project_feedback\.verdict|api_keys\.(scopes|key_hash)|webhooks\.(events|view_id|secret|old_secret|pause_reason)|webhook_deliveries\.reason|webhook_attempts\.delivery_id|team_view_starts\.filter_id|totp_secrets\.sealed|login_domains\.(domain|provider|token|issuer|rule)|login_identities\.(issuer|subject)|organisation_logins\.(state_hash|browser_hash)|organisation_joins\.(browser_hash|issuer|subject)|passkeys\.(credential_id|public_key|transports)|passkey_challenges\.(challenge|purpose)|email_changes\.(new_email_key|old_token_hash|new_token_hash)|change_keys\.key|follows\.key|follow_news\.key|follow_settings\.(bell|mail)|channel_settings\.(channel|kinds|filters|quiet_\w+)|channel_messages\.(channel|dedupe_key)|push_devices\.(endpoint|endpoint_hash|secret_hash)|saved_questions\.problem`,
    // Columns that are hashed or sealed, and never returned in plain text.
    String.raw`line_\w+\.(line_hash|line_sealed|name_sealed|event_id|nonce_hash|group_hash)`,
    String.raw`users\.(email|email_key|password_hash|phone|terms_version)`,
    String.raw`organisations\.(areas_with_provinces|areas_filter_report|business_types|name_key|allow_access_budget_year)`,
    String.raw`registrations\.(email|email_key|password_hash|phone|terms_version|otp_hash|idempotency_hash|business_types)`,
    String.raw`report_exports\.columns|match_words\.matched_by|mails\.(message_id|sealed|dedupe_key)|jobs\.key|documents\.(reason|picture_\w+)|pursuits\.stage|report_cards\.tax_id`,
    // Columns that are never returned: the worker of a job, and the last writing transaction.
    String.raw`\w+\.holder|(match|mark)_versions\.version`,
  ].join('|')})$`,
)

type Column = { readonly table: string; readonly column: string; readonly type: string }
type OwnedTable = { readonly table: string; readonly where: (organisationId: number) => Sql }

/**
 * Finds every table whose rows belong to an organisation, by its own columns or through references; covers future
 * tables.
 */
async function listOwnedTables(db: Db): Promise<OwnedTable[]> {
  const columns = await db.query<Column>(sql`
    select c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1, 2`)
  const references = await db.query<{ table: string; column: string; to: string; key: string }>(sql`
    select k.conrelid::regclass::text as "table", a.attname as "column", k.confrelid::regclass::text as "to", t.attname as key
    from pg_constraint k
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    join pg_attribute t on t.attrelid = k.confrelid and t.attnum = k.confkey[1]
    where k.contype = 'f' and array_length(k.conkey, 1) = 1 and k.conparentid = 0`)
  const has = (table: string, column: string) =>
    columns.some((existing) => existing.table === table && existing.column === column)
  const owned = new Map<string, OwnedTable['where']>([['organisations', (id) => sql`id = ${id}::int`]])
  const tables = [...new Set(columns.map(({ table }) => table))]
  for (const table of tables) {
    if (has(table, 'organisation_id')) owned.set(table, (id) => sql`organisation_id = ${id}::int`)
    else if (has(table, 'user_id'))
      owned.set(table, (id) => sql`user_id in (select id from users where organisation_id = ${id}::int)`)
  }
  for (const { table, column, to, key } of references) {
    const where = owned.get(to)
    if (owned.has(table) || !where) continue
    owned.set(table, (id) => sql`${raw(column)} in (select ${raw(key)} from ${raw(to)} where ${where(id)})`)
  }
  return [...owned].map(([table, where]) => ({ table, where }))
}

async function markEveryText(db: Db, organisation: number): Promise<void> {
  const columns = await textColumns(db)
  for (const { table, where } of await listOwnedTables(db)) {
    const sets = columns.flatMap((field) => {
      if (field.table !== table) return []
      const name = raw(field.column)
      if (field.type === 'text') return [sql`${name} = coalesce(${name}, '') || ${CANARY}`]
      return field.type === 'text[]' ? [sql`${name} = array_append(${name}, ${CANARY}::text)`] : []
    })
    if (sets.length > 0)
      await db.execute(sql`update ${raw(table)} set ${join(sets, ', ')} where ${where(organisation)}`)
  }
}

async function textColumns(db: Db): Promise<Column[]> {
  const columns = await db.query<Column>(sql`
    select c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.atttypid in ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype, 'bytea'::regtype)`)
  return columns.filter(({ table, column }) => !NO_TEXT.test(`${table}.${column}`))
}

export async function findUnmarkedTexts(db: Db, organisation: number): Promise<string[]> {
  const columns = await textColumns(db)
  const unmarked: string[] = []
  for (const { table, where } of await listOwnedTables(db)) {
    for (const { column, type } of columns.filter((field) => field.table === table)) {
      const text = type === 'bytea' ? sql`convert_from(${raw(column)}, 'UTF8')` : sql`${raw(column)}::text`
      const rows = await db.query(sql`
        select from ${raw(table)} where ${where(organisation)} and position(${CANARY} in ${text}) > 0 limit 1`)
      if (rows.length === 0) unmarked.push(`${table}.${column}`)
    }
  }
  return unmarked
}

/** Returns a hash of every row that an organisation owns, by table (R25). */
export async function hashOwnedRows(db: Db, organisation: number): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {}
  for (const { table, where } of await listOwnedTables(db)) {
    const [row] = await db.query<{ hash: string }>(sql`
      select count(*) || ' ' || md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as hash
      from (select * from ${raw(table)} where ${where(organisation)}) t`)
    hashes[table] = row!.hash
  }
  return hashes
}
