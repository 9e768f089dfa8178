import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { createSampleSource } from '#sample/sample-source.ts'
import { createListFeedSource, getAcceptedRecords, readAllFeedItems } from '#server/catalogue/feed/feed-for-tests.ts'
import type { FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import { runDataLoad, withDataLoadLease } from '#server/jobs/load/run-load.ts'
import { onOneEngine } from '../../test/server/databases.ts'
import { fetchEveryResponse } from '../../test/server/every-answer.ts'
import { appOn, signIn } from '../../test/server/http-app.ts'
import { toPlainDigits } from '../../test/stored-texts.ts'

const TODAY = '2026-11-21'
const NOW = new Date(`${TODAY}T03:00:00Z`)
const EMAIL = 'manager@tharamek.example'
const [VISIBLE, VALID, OWNER] = ['330960000', '3960100154251', 'ทดสอบ ไม่มีจริง']
const PERSON = 'นายสมมติ ธรรมดา'
const PEOPLE = [
  { tin: '3309600001234', name: PERSON },
  { tin: '330960000xxxx', name: `ร้านทดสอบการค้า โดยนาย${OWNER}` },
  { tin: '3-3096-0000x-xx-x', name: 'ร้านทดสอบภัณฑ์' },
]

const withPeople = (record: FeedRecord, at: number): FeedRecord => {
  const person = PEOPLE[at % PEOPLE.length]!
  return {
    ...record,
    ...(at % 5 === 0 && { name: `${record.name} บัตรประชาชน ${VALID}` }),
    ...(record.winnerName && { winnerName: person.name }),
    ...(record.contracts && {
      contracts: record.contracts.map((contract) => ({ ...contract, winnerTin: person.tin, winnerName: person.name })),
    }),
    ...(record.bidders && {
      bidders: record.bidders.map((bidder, index) => ({ ...bidder, ...PEOPLE[(at + index) % PEOPLE.length]! })),
    }),
  }
}

onOneEngine('what is answered about natural persons', (makeDb) => {
  test('contains no id digit, key or owner name on any route that reads projects', async () => {
    const db = await makeDb()
    await seedSampleOrganisations(db, TODAY)
    const sample = getAcceptedRecords(await readAllFeedItems(createSampleSource({ seed: 25, today: TODAY })))
    const records = sample.filter((_, at) => at % 40 === 0).map(withPeople)
    await withDataLoadLease(db, (lease) =>
      runDataLoad(db, lease, createListFeedSource(records), { origin: 'test', fingerprint: 'people', today: TODAY }),
    )
    const [organisation] = await db.query<{ id: number }>(
      sql`select organisation_id as id from users where email_key = ${EMAIL}`,
    )
    const projects = await db.query<{ id: string }>(sql`
      select m.project_id as id from project_matches m join bidders b on b.project_id = m.project_id
      where m.organisation_id = ${organisation!.id}::int group by 1 order by 1 limit 4`)
    expect(projects.length).toBeGreaterThan(1)
    const [buyer] = await db.query<{ name: string }>(sql`select name from departments order by id limit 1`)
    const answers = await fetchEveryResponse(db, {
      email: EMAIL,
      organisationId: organisation!.id,
      projects: projects.map(({ id }) => id),
      companies: ['ร้านทดสอบการค้า', PERSON],
      agency: buyer!.name,
      now: NOW,
      megabytes: 64,
    })
    const bodies = Object.entries(answers).filter(([, answer]) => answer.startsWith('200'))
    expect(bodies.length).toBeGreaterThan(40)
    const leaks = bodies.filter(
      ([, answer]) =>
        [VISIBLE, VALID, OWNER].some((piece) => toPlainDigits(answer).includes(piece)) || /"p:[a-p]*"/.test(answer),
    )
    expect(leaks.map(([address, answer]) => `${address}: ${answer.slice(0, 300)}`)).toEqual([])

    const app = await appOn(db, { now: () => NOW })
    try {
      const { headers } = await signIn(app, EMAIL)
      const page = await app.inject({ url: encodeURI(`/api/v2/companies/${PERSON}`), headers })
      expect(page.statusCode).toBe(404)
    } finally {
      await app.close()
    }
  }, 300_000)
})
