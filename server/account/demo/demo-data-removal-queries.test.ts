import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { onOneEngine } from '../../../test/server/databases.ts'
import { DEMO_SCHEMA_TABLES } from './demo-data-removal-queries.ts'

/**
 * Tables without an organisation or user column that customers and the demo share, grouped by why they leak nothing
 * between the two.
 */
const ONE_FOR_ALL: readonly string[] = [
  ...['intake_agencies', 'intake_announcements', 'intake_files', 'intake_gaps', 'intake_nights', 'intake_queries'],
  ...['coverage_counts', 'coverage_days', 'coverage_probes'],
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
  // These tables are reachable only through a row of an organisation or user.
  ...['organisations', 'keyword_terms', 'refresh_tokens', 'report_export_parts', 'short_links', 'used_mail_links'],
  ...['login_failures', 'use_counts', 'organisation_logins', 'organisation_joins'],
  // LINE events, button presses and quota: ids are stored as hashes, and only jobs read these tables.
  ...['line_channel', 'line_events', 'line_presses'],
  // These tables contain the text of invitations that the real feed linked to; the demo data has none.
  ...['public_documents', 'public_pages'],
  // These tables map words to numeric codes and refer to no project.
  ...['match_values', 'keyword_blacklist'],
  'person_ids',
  // These tables are public data, reachable only through an organisation's matches, which the demo retains.
  ...['department_texts', 'project_filters', 'project_texts'],
]

onOneEngine('tables of the sample apart', (makeDb) => {
  test('every table without an organisation or user is in the demo schema or listed here as shared', async () => {
    const db = await makeDb()
    const rows = await db.query<{ name: string }>(sql`
      select c.relname::text as name from pg_class c
      where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and not exists (
          select from pg_attribute a where a.attrelid = c.oid and a.attname in ('organisation_id', 'user_id') and not a.attisdropped
        )`)
    const names = rows.map(({ name }) => name)
    expect(names.length).toBeGreaterThan(30)
    expect(new Set(names.filter((name) => !DEMO_SCHEMA_TABLES.includes(name)))).toEqual(new Set(ONE_FOR_ALL))
    await db.close()
  })
})
