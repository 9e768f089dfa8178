import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { clearSchema } from '#server/platform/engine/backup/clear-schema.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { jobsOf } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { addLoad, addOrganisation, addUser } from '../../../test/world/report-world.ts'

onEachEngineInTurn('the upgrade to one queue', (makeDb) => {
  test('keeps waiting jobs with their attempts, restarts running ones, and keeps the results of the rest', async () => {
    const db = await makeDb()
    await db.transaction(async (tx) => await clearSchema(tx), { idleTimeoutMs: 0 })
    await migrateDatabase(db, { upTo: 14 })
    const organisation = await addOrganisation(db, {})
    const user = await addUser(db, organisation)
    const load = await addLoad(db)
    await db.script(`
      insert into match_requests (organisation_id, scope, state, attempts, done, total, requested_at, finished_at, failure) values
        (${organisation}, '{"all": true}', 'done', 1, 9, 9, now(), now(), null), (${organisation}, '{"units": ["ก"]}', 'running', 2, 1, 9, now(), null, null),
        (${organisation}, '{"units": ["ข"]}', 'failed', 10, 0, 0, now(), now(), 'TypeError: x');
      insert into report_exports (id, organisation_id, user_id, format, query, columns, state, requested_at, next_at, finished_at, done, total, attempts) values
        ('made', ${organisation}, ${user}, 'csv', '{}', '{name}', 'done', now() - interval '2 s', now(), now(), 7, 7, 1),
        ('half', ${organisation}, ${user}, 'csv', '{}', '{name}', 'running', now() - interval '1 s', now(), null, 3, 7, 1),
        ('ended', ${organisation}, ${user}, 'csv', '{}', '{name}', 'cancelled', now(), now(), now(), 0, null, 0);
      insert into report_mails (user_id, load_id, organisation_id, state, due_at, attempts) values (${user}, ${load}, ${organisation}, 'composing', now(), 1);
      insert into mails (kind, message_id, sealed, state, attempts, created_at, next_at, organisation_id, user_id, failure) values
        ('a', 'a', 'x', 'queued', 3, now(), now(), ${organisation}, ${user}, '421 DATA'), ('b', 'b', 'x', 'sending', 1, now(), now(), 999, 999, null),
        ('c', 'c', null, 'failed', 15, now(), now(), null, null, '550 RCPT TO'), ('d', 'd', null, 'sent', 1, now(), now(), null, null, null)`)
    await migrateDatabase(db)
    const outcomes = async (kind: string) =>
      (await jobsOf(db, kind)).map(({ state, attempts, last_error }) => [state, attempts, last_error])
    expect(await outcomes('match')).toEqual([
      ['done', 1, null],
      ['waiting', 2, null],
      ['dead', 10, 'TypeError: x'],
    ])
    expect((await jobsOf(db, 'export')).map(({ key, state, progress }) => [key, state, progress])).toEqual([
      ['made', 'done', { done: 7 }],
      ['half', 'waiting', { done: 3 }],
      ['ended', 'cancelled', { done: 0 }],
    ])
    expect(await outcomes('report_mail')).toEqual([['waiting', 1, null]])
    expect(await outcomes('mail')).toEqual([
      ['waiting', 3, '421 DATA'],
      ['waiting', 1, null],
      ['dead', 15, '550 RCPT TO'],
    ])
    expect(await db.query(sql`select state from mails order by id`)).toEqual(
      ['queued', 'queued', 'failed', 'sent'].map((state) => ({ state })),
    )
    expect(await db.query(sql`select state from report_mails`)).toEqual([{ state: 'waiting' }])
    const payloads = await db.query<{ kind: string; payload: unknown }>(sql`
      select distinct on (kind) kind, payload from jobs where state = 'waiting' order by kind, id`)
    const [{ id: mail }] = (await db.query<{ id: number }>(sql`select min(id) as id from mails`)) as [{ id: number }]
    expect(payloads).toEqual([
      { kind: 'export', payload: { export: 'half' } },
      { kind: 'mail', payload: { mail } },
      { kind: 'match', payload: { units: ['ก'] } },
      { kind: 'report_mail', payload: { loads: [load] } },
    ])
  }, 120_000)
})
