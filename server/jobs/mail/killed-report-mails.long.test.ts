import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Db } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { openDb } from '#server/platform/engine/open-db.ts'
import { createMailCipher } from '#server/platform/mail/mail-cipher.ts'
import { createSmtpTransport } from '#server/platform/mail/smtp-transport.ts'
import { releaseAllLeases } from '#server/platform/queue/queries.ts'
import { createOutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { createReportMailDependencies } from '#server/report/mail/create-report-mail-dependencies.ts'
import { runDue } from '../../../test/jobs.ts'
import { TEST_SECRET } from '../../../test/server/http-app.ts'
import { killOnOutput } from '../../../test/server/killed-process.ts'
import { startSmtpServer } from '../../../test/server/smtp-server.ts'
import { addReader, publish } from '../../../test/world/report-mail-world.ts'
import { addOrganisation } from '../../../test/world/report-world.ts'
import { mailJob } from './mail-job.ts'
import { reportMailJob } from './report-mail-job.ts'

const USERS = 24
const SERVER = path.join(import.meta.dirname, 'report-mail-server-for-tests.ts')

test('R52, R53: a load and its mails, killed repeatedly with SIGKILL, reach each user exactly once', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'tamngan-killed-mails-'))
  const file = path.join(dataDir, 'projects.csv')
  const rows = Array.from({ length: 300 }, (_, i) => `${68_010_000_000 + i},ซื้อกล้อง แห่งที่ ${i},กรมทดสอบ,${i}`)
  writeFileSync(file, ['project_id,project_name,dept_name,project_money', ...rows].join('\n'))
  const before = await openDb({ dataDir })
  await migrateDatabase(before)
  const organisation = await addOrganisation(before, { words: { include: ['กล้อง'] } })
  for (let i = 0; i < USERS; i += 1) await addReader(before, organisation, `u${i}@x.example`)
  await publish(before, [{ id: '67000000001', isArchived: true }], { now: new Date() })
  await before.close()

  const args = [dataDir, file, TEST_SECRET]
  // Killed once while publishing, when neither the load nor a mail exists, and twice while composing mails, when some
  // exist.
  await killOnOutput(SERVER, args, /^publish \d+$/m)
  expect(await countsOf(dataDir)).toEqual({ loads: 1, told: 0, mails: 0 })
  await killOnOutput(SERVER, args, /^queued ([2-9]|1\d)$/m)
  const half = await countsOf(dataDir)
  expect(half).toMatchObject({ loads: 2, told: USERS })
  expect(half.mails).toBeGreaterThan(0)
  expect(half.mails).toBeLessThan(USERS)
  await killOnOutput(
    SERVER,
    args,
    new RegExp(`^queued (${half.mails + 2}|${half.mails + 3}|${half.mails + 4}|2\\d)$`, 'm'),
  )

  const db = await openDb({ dataDir })
  const smtp = await startSmtpServer()
  try {
    await releaseAllLeases(db)
    const later = () => new Date(Date.now() + 61_000)
    const parts = {
      reportMail: createReportMailDependencies(
        [TEST_SECRET],
        createOutgoingMailQueue({ secrets: [TEST_SECRET], baseUrl: () => 'https://x.example' }),
      ),
    }
    await runDue(reportMailJob, { db, parts, now: later })
    const transport = createSmtpTransport({ url: smtp.url, from: 'x@tamngan.example' })
    const delivery = { seal: createMailCipher([TEST_SECRET]), transport }
    await runDue(mailJob, { db, parts: { delivery }, now: later })
    transport.close()
    expect(smtp.received.map(({ to }) => to[0]).toSorted(byText)).toEqual(
      Array.from({ length: USERS }, (_, i) => `u${i}@x.example`).toSorted(byText),
    )
    expect(await db.query(sql`select state, count(*) as n from report_mails group by 1`)).toEqual([
      { state: 'queued', n: USERS },
    ])
  } finally {
    await smtp.close()
    await db.close()
  }
}, 480_000)

const byText = (a: string | undefined, b: string | undefined) => (a! < b! ? -1 : 1)

async function countsOf(dataDir: string): Promise<{ loads: number; told: number; mails: number }> {
  const db = await openDb({ dataDir })
  try {
    return await counts(db)
  } finally {
    await db.close()
  }
}

async function counts(db: Db): Promise<{ loads: number; told: number; mails: number }> {
  const [row] = await db.query<{ loads: number; told: number; mails: number }>(sql`
    select (select count(*) from loads where state = 'published') as loads, (select count(*) from report_mails) as told,
      (select count(*) from mails) as mails`)
  return row!
}
