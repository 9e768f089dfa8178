import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sql from 'sql-template-tag'
import { runIntake } from '#server/catalogue/intake/intake-commands.ts'
import type { IntakeSource, IntakeSourceSettings } from '#server/catalogue/intake/intake-sources.ts'
import { readIntakeSourceOverviews } from '#server/catalogue/intake/source-overviews.ts'
import { createFolderDocumentStore } from '#server/documents/store/folder-store.ts'
import { type IntakeJobDependencies, intakeJob } from '#server/jobs/intake/intake-job.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runDue } from '../jobs.ts'
import { OpenDataServer } from '../open-data-server.ts'
import { emptyTables } from '../server/empty-tables.ts'
import { CONTACT, createTestIntakeDependencies, TestClock } from './intake-world.ts'

const HEADER = 'project_id,project_name,dept_name,project_money,budget_year'
export function buildContractsCsv(count: number, from = 1, budget = 500_000): string {
  const rows = Array.from({ length: count }, (_, index) => {
    const serial = from + index
    return `${67_089_000_000 + serial},ซื้อคอมพิวเตอร์ ${serial},กรมบัญชีกลาง,${budget},2568`
  })
  return `${[HEADER, ...rows].join('\n')}\n`
}

export const buildReleasesJson = (titles: readonly string[]): string =>
  JSON.stringify({
    version: '1.1',
    releases: titles.map((title, index) => ({
      ocid: `ocds-test-${index}`,
      id: String(index),
      date: '2026-11-01T00:00:00+07:00',
      tag: ['tender'],
      buyer: { id: '50', name: 'กรุงเทพมหานคร' },
      planning: { budget: { id: '69', projectID: String(67_099_000_001 + index), project: `จ้างทำถนน ${title}` } },
      tender: { id: String(67_099_000_001 + index), title: `จ้างทำถนน ${title}`, procurementMethod: 'open' },
    })),
  })

export async function makeOpenDataWorld(db: Db, at: string) {
  await emptyTables(db, 'intake_sources', 'intake_agencies', 'jobs')
  await emptyTables(db, 'projects', 'loads', 'departments', 'agency_directory', 'agency_codes')
  const clock = new TestClock(at)
  const server = new OpenDataServer()
  await server.start()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'open-data-'))
  const mails: { to: string; subject: string }[] = []
  const parts: { intake: IntakeJobDependencies } = {
    intake: createTestIntakeDependencies(clock, {
      dataDir,
      store: createFolderDocumentStore(path.join(dataDir, 'documents')),
      mails: {
        link: (to) => to,
        queue: async (_tx, { to, content }) => void mails.push({ to, subject: content.subject }),
      },
    }),
  }
  const turn = (signal?: AbortSignal) =>
    runDue(intakeJob, { db, now: clock.now, parts, ...(signal === undefined ? {} : { signal }) })
  return {
    ...{ clock, server, mails, parts, dataDir, turn },
    on: (source: IntakeSource, changes: Partial<IntakeSourceSettings> = {}, key?: string) =>
      runIntake(
        db,
        {
          command: 'on',
          source,
          ...(key === undefined ? {} : { key }),
          changes: { contact: CONTACT, address: `${server.origin}/api/3/action/`, ...changes },
        },
        clock.now(),
        parts.intake.seal,
      ),
    async live(until: string): Promise<void> {
      for (;;) {
        const [job] = await db.query<{ at: string }>(
          sql`select run_at as at from jobs where kind = 'intake' and state = 'waiting' order by run_at limit 1`,
        )
        if (!job || new Date(job.at) > new Date(until)) break
        clock.passUntil(new Date(job.at))
        await turn()
      }
      clock.passUntil(new Date(until))
    },
    overview: async (source: IntakeSource) =>
      (await readIntakeSourceOverviews(db, clock.now())).find((entry) => entry.source === source)!,
    /** Returns name, state, rows read and number of new projects of each file, in order of discovery. */
    async outcomes(source: IntakeSource) {
      const { files } = (await readIntakeSourceOverviews(db, clock.now())).find((entry) => entry.source === source)!
      return files
        .toSorted((a, b) => a.id - b.id)
        .map(({ name, state, rowsRead, newProjects }) => [name, state, rowsRead, newProjects])
    },
    async close() {
      await server.close()
      await rm(dataDir, { recursive: true })
    },
  }
}
