import { setTimeout as sleep } from 'node:timers/promises'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import { onEachEngine } from '../../test/server/databases.ts'
import { DbUnavailable, type OpenDb } from './db.ts'
import { asOwner, asTenant, type Tenant } from './tenant.ts'

/** The same for everybody: a tenant reads it and never writes. */
const SHARED = [
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
    'loads',
    'match_values',
    'project_changes',
    'project_filters',
    'project_spending',
  ],
  ...['project_texts', 'project_traits', 'project_version', 'projects', 'purchase_plans'],
  // Views, read with the rights of who asks: of the matches in them each sees its own.
  ...['report_matches', 'worded_matches'],
]
/** The server's own: no request of a signed-in user touches it. */
const CLOSED = [
  ...['budget_quarantined_rows', 'fact_checks', 'fetched_facts', 'intake_agencies', 'intake_announcements'],
  ...['intake_files', 'intake_gaps', 'intake_links', 'intake_nights', 'intake_queries', 'intake_sources'],
  ...['intake_units', 'intake_versions', 'job_leases', 'job_runs', 'metric_minutes', 'picture_days'],
  ...['public_documents', 'public_pages', 'quarantined_rows', 'refresh_tokens', 'registrations'],
  ...['schema_migrations', 'short_links', 'staged_chunks', 'stale_departments', 'use_counts'],
  ...['used_mail_links'],
]

/** A row of each table that holds what is a tenant's, under keys that carry the user's number. */
const ROWS: Readonly<Record<string, (who: Tenant, key: string) => Sql>> = {
  organisations: (who, key) => sql`
    insert into organisations (id, code, name, package, customer_config, areas_with_provinces) overriding system value
    values (${who.organisationId}::int, ${key}, ${key}, '', '{}', '{}')`,
  users: (who, key) => sql`
    insert into users (id, organisation_id, email, email_key, password_hash) overriding system value
    values (${who.userId}::int, ${who.organisationId}::int, ${key}, ${key}, 'none')`,
  sessions: (who, key) =>
    sql`insert into sessions (id, user_id, expires_at) values (${key}, ${who.userId}::int, now())`,
  password_resets: (who, key) => sql`
    insert into password_resets (token_hash, user_id, created_at, expires_at) values (${key}, ${who.userId}::int, now(), now())`,
  login_failures: (_who, key) =>
    sql`insert into login_failures (email_key, failures, first_failed_at) values (${key}, 1, now())`,
  audit_events: (who) => sql`
    insert into audit_events (kind, organisation_id, user_id) values ('login', ${who.organisationId}::int, ${who.userId}::int)`,
  usage_events: (who, key) => sql`
    insert into usage_events (organisation_id, user_id, at, type, description, text_search)
    values (${who.organisationId}::int, ${who.userId}::int, now(), 'open', ${key}, ${key})`,
  mails: (who, key) => sql`
    insert into mails (kind, dedupe_key, message_id, created_at, organisation_id, user_id)
    values ('x', ${key}, ${key}, now(), ${who.organisationId}::int, ${who.userId}::int)`,
  keyword_groups: (who, key) =>
    sql`insert into keyword_groups (organisation_id, name) values (${who.organisationId}::int, ${key})`,
  keywords: (who, key) => sql`
    insert into keywords (id, organisation_id, list, word, word_key) overriding system value
    values (${numberOf(key)}::int, ${who.organisationId}::int, 'include', ${key}, ${key})`,
  keyword_terms: (who, key) => sql`
    insert into keyword_terms (keyword_id, term_key, term, source, state, similarity, position)
    values (${numberOf(keyOf(who))}::int, ${key}, ${key}, 'user', 'auto', 1, 1)`,
  lesson_answers: (who, key) => sql`
    insert into lesson_answers (organisation_id, keyword_id, project_id, is_wanted, answered_at)
    values (${who.organisationId}::int, ${numberOf(keyOf(who))}::int, ${key}, true, now())`,
  term_advice: (who, key) => sql`
    insert into term_advice (user_id, organisation_id, keyword_id, facet, term_key, shown, hidden, excluded, projects, found_at)
    values (${who.userId}::int, ${who.organisationId}::int, ${numberOf(keyOf(who))}::int, 0, ${key}, 6, 6, 0, '{}', now())`,
  deleted_keywords: (who, key) => sql`
    insert into deleted_keywords (id, organisation_id, keyword, terms, deleted_at)
    values (${numberOf(key)}::int, ${who.organisationId}::int, '{}', '[]', now())`,
  jobs: (who, key) => sql`
    insert into jobs (kind, key, payload, organisation_id, user_id, requested_at, run_at)
    values ('x', ${key}, '{}', ${who.organisationId}::int, ${who.userId}::int, now(), now())`,
  match_exclusions: (who, key) => sql`
    insert into match_exclusions (organisation_id, project_id, list, word, load_id) values (${who.organisationId}::int, ${key}, '', '', 1)`,
  document_matches: (who, key) => sql`
    insert into document_matches (organisation_id, project_id, keyword_id, hash, page, found_at)
    values (${who.organisationId}::int, ${key}, ${numberOf(keyOf(who))}::int, ${key}, 1, now())`,
  match_rescues: (who, key) => sql`
    insert into match_rescues (organisation_id, project_id, list, word) values (${who.organisationId}::int, ${key}, '', '')`,
  // Before the matches, whose writing notes itself here.
  match_versions: (who) => sql`
    insert into match_versions (organisation_id, version) values (${who.organisationId}::int, 'x')`,
  project_matches: (who, key) => sql`
    insert into project_matches (organisation_id, filters_id, words_id, first_load, project_id)
    values (${who.organisationId}::int, 1, 1, 1, ${key})`,
  match_words: (who, key) => sql`
    insert into match_words (organisation_id, matched_by, matched_words) values (${who.organisationId}::int, '{}', array[${key}::text])`,
  budget_matches: (who, key) => sql`
    insert into budget_matches (organisation_id, item_id, keywords, words)
    select ${who.organisationId}::int, i.id, '{}', array[${key}::text] from budget_items i`,
  budget_match_runs: (who, key) => sql`
    insert into budget_match_runs (organisation_id, fiscal_year, rules_version, load_id, matched_at)
    values (${who.organisationId}::int, ${numberOf(key)}::smallint, 1, 1, now())`,
  budget_link_decisions: (who, key) => sql`
    insert into budget_link_decisions (organisation_id, item_id, project_id, decision, decided_at)
    select ${who.organisationId}::int, i.id, ${key}, 'rejected', now() from budget_items i`,
  bookmarks: (who, key) => sql`insert into bookmarks (user_id, project_id) values (${who.userId}::int, ${key})`,
  labels: (who, key) =>
    sql`insert into labels (user_id, id, name, color) values (${who.userId}::int, ${key}, ${key}, 'sky')`,
  label_assignments: (who, key) => sql`
    insert into label_assignments (user_id, project_id, label_id) values (${who.userId}::int, ${key}, ${keyOf(who)})`,
  saved_filters: (who, key) => sql`
    insert into saved_filters (user_id, id, name, filter_data) values (${who.userId}::int, ${key}, ${key}, '{}')`,
  hidden_projects: (who, key) =>
    sql`insert into hidden_projects (user_id, project_id) values (${who.userId}::int, ${key})`,
  project_views: (who, key) => sql`
    insert into project_views (user_id, project_id, looked_at) values (${who.userId}::int, ${key}, now())`,
  queue_decisions: (who, key) => sql`
    insert into queue_decisions (user_id, project_id, load_id, decided_on) values (${who.userId}::int, ${key}, 1, '2026-11-21')`,
  notifications: (who, key) => sql`
    insert into notifications (user_id, organisation_id, type, project_id, created_at)
    values (${who.userId}::int, ${who.organisationId}::int, 'new', ${key}, now())`,
  report_mails: (who, key) => sql`
    insert into report_mails (user_id, load_id, organisation_id)
    select ${who.userId}::int, l.id, ${who.organisationId}::int from loads l where l.origin = ${key}`,
  report_exports: (who, key) => sql`
    insert into report_exports (id, organisation_id, user_id, format, query, columns, requested_at)
    values (${key}, ${who.organisationId}::int, ${who.userId}::int, 'csv', '{}', '{}', now())`,
  report_export_parts: (who, key) => sql`
    insert into report_export_parts (export_id, place, bytes) values (${keyOf(who)}, ${numberOf(key)}::int, '')`,
  invitations: (who, key) => sql`
    insert into invitations (organisation_id, email, email_key, role, token_hash, sent_at, expires_at)
    values (${who.organisationId}::int, ${key}, ${key}, 'member_user', ${key}, now(), now())`,
  join_requests: (who, key) => sql`
    insert into join_requests (organisation_id, email, email_key, name, requested_at)
    values (${who.organisationId}::int, ${key}, ${key}, 'x', now())`,
  follows: (who, key) => sql`
    insert into follows (user_id, organisation_id, kind, key, name, created_at)
    values (${who.userId}::int, ${who.organisationId}::int, 'project', ${key}, ${key}, now())`,
  follow_news: (who, key) => sql`
    insert into follow_news (user_id, organisation_id, kind, key, project_id, found_at)
    values (${who.userId}::int, ${who.organisationId}::int, 'project', ${key}, ${key}, now())`,
  contract_end_news: (who, key) => sql`
    insert into contract_end_news (user_id, organisation_id, project_id, contract_no, ends_on, step, found_at)
    values (${who.userId}::int, ${who.organisationId}::int, ${key}, ${key}, '2026-12-31', 90, now())`,
  follow_settings: (who) => sql`
    insert into follow_settings (user_id, organisation_id, bell, mail) values (${who.userId}::int, ${who.organisationId}::int, '{}', '{}')`,
  saved_questions: (who, key) => sql`
    insert into saved_questions (user_id, organisation_id, id, name, address, monthly, on_change, created_at, mailed_month)
    values (${who.userId}::int, ${who.organisationId}::int, ${key}, ${key}, '{}', true, true, now(), '2026-11-01')`,
  saved_question_settings: (who) => sql`
    insert into saved_question_settings (user_id, organisation_id) values (${who.userId}::int, ${who.organisationId}::int)`,
  pursuit_boards: (who) => sql`
    insert into pursuit_boards (organisation_id, version) values (${who.organisationId}::int, 1)`,
  document_answers: (who, key) =>
    sql`insert into document_answers (organisation_id, host, model) values (${who.organisationId}::int, ${key}, 'x')`,
  qualifications: (who, key) => sql`
    insert into qualifications (organisation_id, profile) values (${who.organisationId}::int, ${JSON.stringify({ key })}::jsonb)`,
  pursuits: (who, key) => sql`
    insert into pursuits (organisation_id, project_id, stage, stage_since, created_at, changed_at)
    values (${who.organisationId}::int, ${key}, 'x', now(), now(), now())`,
  pursuit_events: (who, key) => sql`
    insert into pursuit_events (organisation_id, id, project_id, at, action) values (${who.organisationId}::int, ${numberOf(key)}::bigint, ${key}, now(), 'x')`,
  pursuit_notes: (who, key) => sql`
    insert into pursuit_notes (organisation_id, project_id, id, place, text, created_at)
    values (${who.organisationId}::int, ${key}, ${key}, 1, ${key}, now())`,
  team_labels: (who, key) => sql`
    insert into team_labels (organisation_id, id, name, color, created_at) values (${who.organisationId}::int, ${key}, ${key}, 'sky', now())`,
  team_label_assignments: (who, key) => sql`
    insert into team_label_assignments (organisation_id, project_id, label_id, created_at)
    values (${who.organisationId}::int, ${key}, ${keyOf(who)}, now())`,
  team_view_starts: (who, key) => sql`
    insert into team_view_starts (user_id, organisation_id, owner_id, filter_id, name)
    values (${who.userId}::int, ${who.organisationId}::int, ${who.userId}::int, ${key}, ${key})`,
  note_files: (who, key) => sql`
    insert into note_files (organisation_id, id, project_id, user_id, hash, type, name, bytes, added_at, goes_at)
    values (${who.organisationId}::int, ${key}, ${key}, ${who.userId}::int, ${key}, 'pdf', ${key}, 1, now(), now())`,
  api_keys: (who, key) => sql`
    insert into api_keys (organisation_id, made_by, name, scopes, key_hash, ending, created_at)
    values (${who.organisationId}::int, ${who.userId}::int, ${key}, '{report}', ${key}, 'x', now())`,
  change_keys: (who, key) =>
    sql`insert into change_keys (user_id, key, made_at) values (${who.userId}::int, ${key}, now())`,
  webhooks: (who, key) => sql`
    insert into webhooks (id, organisation_id, name, url, events, secret, created_at) overriding system value values (${numberOf(key)}::int, ${who.organisationId}::int, ${key}, ${key}, '{match.new}', 'x', now())`,
  webhook_deliveries: (who, key) => sql`
    insert into webhook_deliveries (id, organisation_id, webhook_id, type, at, data, state, tries_until) values (${key}, ${who.organisationId}::int, ${numberOf(keyOf(who))}::int, 'x', now(), '{}', 'waiting', now())`,
  webhook_attempts: (who, key) => sql`
    insert into webhook_attempts (organisation_id, delivery_id, at, status, ms, answer) values (${who.organisationId}::int, ${keyOf(who)}, now(), 200, 1, ${key})`,
  calendar_feeds: (who, key) => sql`
    insert into calendar_feeds (organisation_id, user_id, source, token_hash, created_at)
    values (${who.organisationId}::int, ${who.userId}::int, 'starred', ${key}, now())`,
  documents: (who, key) => sql`
    insert into documents (id, organisation_id, project_id, user_id, hash, type, name, bytes, added_at)
    values (${key}, ${who.organisationId}::int, ${key}, ${who.userId}::int, ${key}, 'pdf', ${key}, 1, now())`,
  document_pages: (who, key) => sql`
    insert into document_pages (document_id, organisation_id, page, text, folded, trigrams)
    values (${keyOf(who)}, ${who.organisationId}::int, ${numberOf(key)}::int, '', '', '{}')`,
}

const A: Tenant = { organisationId: 101, userId: 201 }
const B: Tenant = { organisationId: 102, userId: 202 }
const keyOf = ({ userId }: Tenant) => `k${userId}`
const numberOf = (key: string) => Number(key.slice(1))
/** Of B, under keys of its own. */
const NEW_KEY = 'k999'
/** PostgreSQL's insufficient_privilege: a missing grant, and a row that no policy lets in. */
const REFUSED = { code: '42501' }
const TABLES = Object.keys(ROWS)

type Catalogued = { name: string; hasRls: boolean; mayRead: boolean; mayWrite: boolean }

onEachEngine('a tenant', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
    await db.script(`
      insert into loads (source, origin, state) values ('x', '${keyOf(A)}', 'published'), ('x', '${keyOf(B)}', 'published'), ('x', '${NEW_KEY}', 'published');
      insert into budget_items (fiscal_year, ministry, unit, plan, project, category, categories, is_multi_year, is_cross_function)
      values (2569, 1, 1, 1, 1, 1, '{1}', false, false)`)
    for (const who of [A, B]) for (const insert of Object.values(ROWS)) await db.execute(insert(who, keyOf(who)))
  })

  const as = <T>(who: Tenant, statement: Sql) => asTenant(who, () => db.query<T>(statement))
  const touched = (who: Tenant, statement: Sql) => asTenant(who, () => db.execute(statement))
  const named = (name: string) => raw(`"${name}"`)

  test('that was not named sees nothing: the statement fails', async () => {
    const unnamed = db.transaction(async (tx) => {
      await tx.script(`set local role tamngan_tenant; set local app.organisation = ''; set local app."user" = ''`)
      return await tx.query(sql`select word from keywords`)
    })
    await expect(unnamed).rejects.toMatchObject({ code: '22P02' })
  })

  test('R25: every table is decided about: a tenant has rows of its own in it, reads what everybody reads, or is kept out', async () => {
    const tables = await db.query<Catalogued>(sql`
      select c.relname as name, c.relrowsecurity as "hasRls",
        has_any_column_privilege('tamngan_tenant', c.oid, 'select') as "mayRead",
        has_any_column_privilege('tamngan_tenant', c.oid, 'insert, update')
          or has_table_privilege('tamngan_tenant', c.oid, 'delete, truncate, trigger, references') as "mayWrite"
      from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
      order by name`)
    const names = (some: readonly Catalogued[]) => some.map(({ name }) => name)
    expect(new Set(names(tables.filter(({ hasRls }) => hasRls)))).toEqual(new Set(TABLES))
    const open = tables.filter(({ hasRls }) => !hasRls)
    expect(names(open.filter(({ mayWrite }) => mayWrite))).toEqual([])
    expect(names(open.filter(({ mayRead }) => mayRead))).toEqual(SHARED)
    expect(names(open.filter(({ mayRead }) => !mayRead))).toEqual(CLOSED)
    // A partition shows the rows of all: it is reached by its parent's name alone.
    const partitions = await db.query(sql`
      select relname from pg_class where relispartition and relkind = 'r' and has_any_column_privilege('tamngan_tenant', oid, 'select')`)
    expect(partitions).toEqual([])
  })

  test.each(TABLES)('R25: reads its own rows of %s when the statement names nobody', async (table) => {
    const readable = await db.query<{ name: string }>(sql`
      select attname as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
        and has_column_privilege('tamngan_tenant', attrelid, attnum, 'select')`)
    if (table === 'audit_events') {
      expect(readable).toEqual([])
      return
    }
    const columns = join(readable.map(({ name }) => named(name)))
    const mine = await as(A, sql`select ${columns} from ${named(table)}`)
    const all = await db.query(sql`select ${columns} from ${named(table)}`)
    expect(all).toHaveLength(2)
    expect(mine).toHaveLength(1)
    expect(await as(B, sql`select ${columns} from ${named(table)}`)).toHaveLength(1)
    expect(mine).not.toEqual(await as(B, sql`select ${columns} from ${named(table)}`))
  })

  test.each(TABLES)("R25: neither changes nor deletes another's rows of %s, nor adds one", async (table) => {
    const writable = await db.query<{ name: string }>(sql`
      select attname as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and attgenerated = '' and attidentity = ''
        and has_column_privilege('tamngan_tenant', attrelid, attnum, 'update') order by attnum`)
    const column = writable[0] ? named(writable[0].name) : undefined
    const others = () => db.query(sql`select t::text from ${named(table)} t order by 1`)
    const before = await others()
    const rolledBack = async (statement: Sql) => {
      let rows = 0
      const work = asTenant(A, () =>
        db.transaction(async (tx) => {
          rows = await tx.execute(statement)
          throw new Error('taken back')
        }),
      )
      const why = await work.catch((error: unknown) => error)
      return (why as Error).message === 'taken back' ? rows : (why as { code: string }).code
    }
    expect([1, REFUSED.code]).toContain(await rolledBack(sql`delete from ${named(table)}`))
    if (column) expect(await rolledBack(sql`update ${named(table)} set ${column} = ${column}`)).toBe(1)
    await expect(touched(A, ROWS[table]!(B, NEW_KEY))).rejects.toMatchObject(REFUSED)
    expect(await others()).toEqual(before)
  })

  test('R25: cannot give what is its own to somebody else', async () => {
    await expect(touched(A, sql`update bookmarks set user_id = ${B.userId}::int`)).rejects.toMatchObject(REFUSED)
    await expect(touched(A, sql`update keywords set organisation_id = ${B.organisationId}::int`)).rejects.toMatchObject(
      REFUSED,
    )
    await expect(touched(A, sql`update users set organisation_id = ${B.organisationId}::int`)).rejects.toMatchObject(
      REFUSED,
    )
    await expect(touched(A, sql`update organisations set is_disabled = false`)).rejects.toMatchObject(REFUSED)
  })

  test('does not become the owner by a second statement in the same text', async () => {
    await expect(as(A, sql`select ${1}::int; reset role`)).rejects.toMatchObject({ code: '42601' })
    await expect(as(A, sql`select 1; reset role`)).rejects.toMatchObject({ code: '42601' })
    expect(await as(A, sql`select current_user::text as role`)).toEqual([{ role: 'tamngan_tenant' }])
  })

  test('is told apart on every connection, whatever happened on it before', async () => {
    const words = async () =>
      (await db.query<{ word: string }>(sql`select word from keywords order by id`)).map(({ word }) => word)
    const failing = () => db.query(sql`select 1 / ${0}::int`)
    const takenBack = () =>
      db.transaction(async (tx) => {
        await tx.query(sql`select word from keywords`, { timeoutMs: 4_000 })
        await tx.transaction((inner) => inner.query(sql`select no_such_column`)).catch(() => undefined)
        throw new Error('taken back')
      })
    const inTransaction = () =>
      db.transaction(async (tx) => {
        await sleep(2)
        return (await tx.query<{ word: string }>(sql`select word from keywords order by id`)).map(({ word }) => word)
      })
    const slow = () => db.query(sql`select pg_sleep(5)`, { timeoutMs: 30 })
    const broken = () => db.query(sql`select pg_terminate_backend(pg_backend_pid())`)
    // A cut statement and a broken connection end a database in memory.
    const mishaps = [failing, takenBack, ...(db.engine === 'postgres' ? [slow, broken] : [])]
    const scopes = [
      { enter: <T>(work: () => T) => asTenant(A, work), sees: [keyOf(A)] },
      { enter: <T>(work: () => T) => asTenant(B, work), sees: [keyOf(B)] },
      { enter: asOwner, sees: [keyOf(A), keyOf(B)] },
    ]
    const calls = Array.from({ length: 120 }, (_, i) =>
      scopes[i % scopes.length]!.enter(async () => {
        await sleep(i % 7)
        if (i % 4 === 0) await mishaps[(i / 4) % mishaps.length]!().catch(() => undefined)
        const ask = i % 2 === 0 ? words : inTransaction
        // Who comes next may be handed the connection that was just broken, and is told so.
        for (;;) {
          try {
            return await ask()
          } catch (error) {
            if (!(error instanceof DbUnavailable)) throw error
          }
        }
      }),
    )
    expect(await Promise.all(calls)).toEqual(calls.map((_, i) => scopes[i % scopes.length]!.sees))
  })

  test('is not what its work leaves to the owner', async () => {
    const seen = asTenant(A, async () => {
      const later = asOwner(async () => {
        await sleep(1)
        return await db.query(sql`select word from keywords order by id`)
      })
      return [await db.query(sql`select word from keywords`), await later]
    })
    const [a, b] = [{ word: keyOf(A) }, { word: keyOf(B) }]
    expect(await seen).toEqual([[a], [a, b]])
  })
})
