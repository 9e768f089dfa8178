import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { rematchProjectsAfterRuleChange } from '#server/matching/match-changed-rules.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { enqueueProjectMatchJob, type RematchScope } from '#server/matching/match-requests.ts'
import { loadMatchingProgress } from '#server/matching/queries/project-for-match-explanation.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { LeaseLostError } from '#server/platform/queue/job.ts'
import { startQueueWorker } from '#server/platform/queue/job-worker.ts'
import { claimJob, findDueJobKinds, pruneJobs, renewJobClaim } from '#server/platform/queue/queries.ts'
import { jobsOf, runDue } from '../../test/jobs.ts'
import { onEachEngineInTurn } from '../../test/server/databases.ts'
import { emptyTables } from '../../test/server/empty-tables.ts'
import { addLoad, addOrganisation, putProjects, setWords } from '../../test/world/report-world.ts'
import { mergeRematchScopes, projectMatchJob } from './match-job.ts'

const AT = new Date('2026-11-21T03:00:00Z')
const later = (seconds: number) => new Date(AT.getTime() + seconds * 1000)

test('merges scopes of several changes without duplicates; "all" covers the rest', () => {
  expect(mergeRematchScopes([{ expressions: ['ก'] }, { expressions: ['ก', 'ข'], projects: ['1'] }])).toEqual({
    expressions: ['ก', 'ข'],
    terms: [],
    units: [],
    projects: ['1'],
  })
  expect(mergeRematchScopes([{ expressions: ['ก'] }, { all: true }])).toEqual({ all: true })
})

onEachEngineInTurn('matching that waits', (makeDb) => {
  let db: OpenDb
  let organisation: number
  let lines: { text: string; fields: object }[]
  const log = {
    info: (fields: object, text: string) => void lines.push({ text, fields }),
    warn: (fields: object, text: string) => void lines.push({ text, fields }),
    error: (fields: object, text: string) => void lines.push({ text, fields }),
  }
  const work = (now = AT) => runDue(projectMatchJob, { db, log, now })
  const claim = (holder: string, now = AT) => claimJob(db, projectMatchJob, holder, now)
  const isDue = async (now: Date) => (await findDueJobKinds(db, ['match'], now)).has('match')
  const requestMatch = (scope: RematchScope, id = organisation) =>
    db.transaction((tx) => enqueueProjectMatchJob(tx, id, scope, AT))
  const requests = () => jobsOf(db, 'match')
  const matchedIds = async () =>
    (
      await db.query<{ project_id: string }>(
        sql`select project_id from project_matches where organisation_id = ${organisation}::int order by project_id`,
      )
    ).map((row) => row.project_id)

  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(async () => {
    lines = []
    await emptyTables(db, 'organisations', 'departments', 'loads', 'projects', 'project_matches', 'match_exclusions')
    organisation = await addOrganisation(db, { words: { include: ['กล้อง'] } })
    const load = await addLoad(db)
    await putProjects(db, load, [
      { id: '1', name: 'ซื้อกล้อง' },
      { id: '2', name: 'ซื้อรถขุด' },
      { id: '3', name: 'ซื้อโต๊ะ' },
    ])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
  })

  test('changes that wait together are matched in one run', async () => {
    await setWords(db, organisation, { include: ['รถขุด', 'โต๊ะ'] })
    for (const word of ['กล้อง', 'รถขุด', 'โต๊ะ']) await requestMatch({ expressions: [word] })
    expect(await loadMatchingProgress(db, organisation)).toMatchObject({ state: 'waiting', finished_at: null })
    expect(await work()).toBe(1)
    expect(await matchedIds()).toEqual(['2', '3'])
    expect(await requests()).toEqual(
      Array.from({ length: 3 }, () =>
        expect.objectContaining({ state: 'done', attempts: 1, last_error: null, progress: { done: 3, total: 3 } }),
      ),
    )
    expect(lines).toMatchObject([{ text: 'job done', fields: { job: 'match', jobs: 3, organisation } }])
    expect(await loadMatchingProgress(db, organisation)).toEqual({
      state: 'idle',
      done: 0,
      total: 0,
      finished_at: AT.toISOString(),
    })
    expect(await work()).toBe(0)
  })

  test('only one of two workers takes an organisation; its next change waits, other organisations do not', async () => {
    await requestMatch({ expressions: ['กล้อง'] })
    const claims = await Promise.all([claim('one'), claim('two')])
    const [firstClaim, ...moreClaims] = claims.filter((taken) => taken !== undefined)
    expect(moreClaims).toEqual([])
    await requestMatch({ expressions: ['รถขุด'] })
    expect(await claim('three')).toBeUndefined()
    const otherOrganisation = await addOrganisation(db)
    await requestMatch({ expressions: ['กล้อง'] }, otherOrganisation)
    expect(await claim('three')).toMatchObject({ organisationId: otherOrganisation })
    await renewJobClaim(db, projectMatchJob, firstClaim!, { now: AT, progress: { done: 5, total: 9 } })
    expect(await loadMatchingProgress(db, organisation)).toMatchObject({ state: 'running', done: 5, total: 9 })
  })

  test('R52: another worker takes over after the lease, and the dead worker writes nothing', async () => {
    await setWords(db, organisation, { include: ['รถขุด'] })
    await requestMatch({ expressions: ['กล้อง', 'รถขุด'] })
    const dead = await claim('dead')
    expect(await isDue(later(59))).toBe(false)
    expect(await isDue(later(61))).toBe(true)
    expect(await work(later(61))).toBe(1)
    expect(await matchedIds()).toEqual(['2'])
    expect(await requests()).toMatchObject([{ state: 'done', attempts: 2 }])

    await setWords(db, organisation, { include: ['โต๊ะ'] })
    const awake = rematchProjectsAfterRuleChange(db, organisation, dead!.payloads[0] as RematchScope, {
      async confirm(tx) {
        if (!(await renewJobClaim(tx, projectMatchJob, dead!, { now: later(62) }))) throw new LeaseLostError('gone')
      },
    })
    await expect(awake).rejects.toThrow(LeaseLostError)
    expect(await matchedIds()).toEqual(['2'])
  })

  test('retries failures with growing delays, gives up after ten, and tries again a day later', async () => {
    await db.execute(
      sql`update organisations set areas_with_provinces = '{"north": 5}' where id = ${organisation}::int`,
    )
    await requestMatch({ all: true })
    expect(await work()).toBe(1)
    expect(await requests()).toMatchObject([{ state: 'waiting', attempts: 1, last_error: 'TypeError' }])
    expect(await loadMatchingProgress(db, organisation)).toMatchObject({ state: 'waiting' })
    expect(await isDue(AT)).toBe(false)
    let now = 0
    for (let tries = 1; tries < 10; tries += 1) {
      now += 360
      expect(await work(later(now))).toBe(1)
    }
    expect(await requests()).toMatchObject([{ state: 'dead', attempts: 10 }])
    expect(await loadMatchingProgress(db, organisation)).toMatchObject({ state: 'failed' })
    expect(lines.map(({ text }) => text).at(-1)).toBe('job dead: no more retries')

    await setWords(db, organisation, { include: ['รถขุด'] })
    await db.execute(
      sql`update organisations set areas_with_provinces = '{"central": ["กรุงเทพมหานคร"]}' where id = ${organisation}::int`,
    )
    await pruneJobs(db, projectMatchJob, later(now + 3600))
    expect(await isDue(later(now + 3600))).toBe(false)
    await pruneJobs(db, projectMatchJob, later(now + 90_000))
    expect(await work(later(now + 90_000))).toBe(1)
    expect(await matchedIds()).toContain('2')
    expect(await loadMatchingProgress(db, organisation)).toMatchObject({ state: 'idle' })
  })

  test('a stopped worker leaves its job to the next, without counting the attempt', async () => {
    await setWords(db, organisation, { include: ['รถขุด'] })
    await requestMatch({ all: true })
    const stop = new AbortController()
    const now = () => {
      queueMicrotask(() => stop.abort())
      return AT
    }
    await runDue(projectMatchJob, { db, log, now, signal: stop.signal })
    expect(await requests()).toMatchObject([{ state: 'waiting', attempts: 0, last_error: null }])
    expect(lines).toEqual([])
    expect(await work()).toBe(1)
    expect(await matchedIds()).toEqual(['2'])
  })

  test('deletes old finished jobs except the latest of each organisation', async () => {
    for (let n = 0; n < 3; n += 1) {
      await requestMatch({ expressions: ['กล้อง'] })
      await work()
    }
    await pruneJobs(db, projectMatchJob, later(6 * 86_400))
    expect(await requests()).toHaveLength(3)
    await pruneJobs(db, projectMatchJob, later(8 * 86_400))
    expect(await requests()).toHaveLength(1)
  })

  test('a worker matches within about half a second, deletes expired words after a day, and stops', async () => {
    await db.execute(sql`
      insert into deleted_keywords (id, organisation_id, keyword, terms, deleted_at)
      values (901, ${organisation}::int, '{}', '[]', now() - interval '25 hours'), (902, ${organisation}::int, '{}', '[]', now() - interval '23 hours')`)
    const worker = startQueueWorker({ db, kinds: [projectMatchJob], parts: undefined, log, now: () => new Date() })
    await setWords(db, organisation, { include: ['รถขุด'] })
    const startedAt = performance.now()
    await db.transaction((tx) =>
      enqueueProjectMatchJob(tx, organisation, { expressions: ['กล้อง', 'รถขุด'] }, new Date()),
    )
    while ((await matchedIds()).join() !== '2' && performance.now() - startedAt < 20_000) await sleep(20)
    // Matching takes 0.3 s on an idle machine; other tests may be running on this one.
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    await worker.stop()
    expect(await db.query(sql`select id from deleted_keywords`)).toEqual([{ id: 902 }])
    await requestMatch({ expressions: ['โต๊ะ'] })
    await sleep(600)
    expect((await requests()).at(-1)).toMatchObject({ state: 'waiting' })
  })
})
