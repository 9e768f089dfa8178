import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { onOneEngine } from '../../../test/server/databases.ts'
import { TABLES_APART } from './queries-retire.ts'

/** Tables without an organisation or a user that are one for everybody, and why that shows nobody the other's data. */
const ONE_FOR_ALL: readonly string[] = [
  // What operators and jobs look at: sources, loads on their way, rows that could not be read.
  ...['intake_agencies', 'intake_announcements', 'intake_files', 'intake_gaps', 'intake_nights', 'intake_queries'],
  // Of fetched documents, which are public.
  ...['document_values', 'fact_checks', 'fact_switches', 'fetched_facts'],
  ...[
    'intake_links',
    'intake_sources',
    'intake_units',
    'intake_versions',
    'quarantined_rows',
    'budget_quarantined_rows',
    'staged_chunks',
    'ahead_loads',
    'ahead_parts',
  ],
  ...['backup_runs', 'job_leases', 'job_runs', 'metric_minutes', 'project_version', 'schema_migrations'],
  // Reached by the row of an organisation or a user alone.
  ...['organisations', 'keyword_terms', 'refresh_tokens', 'report_export_parts', 'short_links', 'used_mail_links'],
  ...['login_failures', 'use_counts', 'organisation_logins', 'organisation_joins'],
  // What LINE said, what was pressed there and its quota: by hashes, read by jobs alone.
  ...['line_channel', 'line_events', 'line_presses'],
  // Text of invitations that the real feed linked to; the sample has none.
  ...['public_documents', 'public_pages'],
  // Words that stand for numbers, without a project.
  ...['match_values', 'keyword_blacklist'],
  // The sealed key behind hashed ids of natural persons; it reveals nothing.
  'person_ids',
  // Public, and found by the match of an organisation alone: the demo keeps its matches, so what they are filtered by stays.
  ...['department_texts', 'project_filters', 'project_texts'],
]

onOneEngine('tables of the sample apart', (makeDb) => {
  test('every table that is not kept by organisation or user is set apart, or named here as one for all', async () => {
    const db = await makeDb()
    const rows = await db.query<{ name: string }>(sql`
      select c.relname::text as name from pg_class c
      where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and not exists (
          select from pg_attribute a where a.attrelid = c.oid and a.attname in ('organisation_id', 'user_id') and not a.attisdropped
        )`)
    const names = rows.map(({ name }) => name)
    expect(names.length).toBeGreaterThan(30)
    expect(new Set(names.filter((name) => !TABLES_APART.includes(name)))).toEqual(new Set(ONE_FOR_ALL))
    await db.close()
  })
})
