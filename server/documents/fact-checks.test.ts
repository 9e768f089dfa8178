import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { DocumentReadResult } from '#contract/documents/document.ts'
import { runDocumentFactAdminRequest } from '#server/operation/admin/admin-facts.ts'
import { AdminRequestRejectedError } from '#server/operation/admin/admin-requests.ts'
import { COMMAND_LINE_ACTOR } from '#server/operation/admin/record-admin-event.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../test/server/databases.ts'
import { addOrganisation } from '../../test/world/report-world.ts'
import {
  findNextDocumentFactCheck,
  isFetchedDocumentFile,
  loadDocumentFactStatuses,
  loadTrustedDocumentFactNames,
  storeFetchedDocumentFacts,
} from './fact-checks.ts'

const FACT = 'reference_price'
const at = (minute: number) => new Date(Date.UTC(2026, 10, 23, 3, minute))
const hashOf = (n: number) => createHash('sha256').update(String(n)).digest('hex')
const reading = (state: 'clear' | 'unsure'): DocumentReadResult => ({
  ...{ outcome: 'read', kind: 'invitation', pages: [] },
  facts: [
    {
      ...{ fact: FACT, state, sentence: 'ราคากลาง ๑๐๐ บาท', page: 1, offset: 0 },
      ...(state === 'clear' ? { value: { kind: 'amount', baht: 100 } as const } : {}),
    },
  ],
})

onEachEngineInTurn('which kinds of facts are trusted', (makeDb) => {
  let db: OpenDb
  let organisation: number
  beforeAll(async () => {
    db = await makeDb()
    organisation = await addOrganisation(db)
  })
  beforeEach(async () => {
    await db.script(
      'truncate fetched_facts, fact_checks, fact_switches; delete from documents; delete from audit_events',
    )
  })

  async function fetched(
    from: number,
    count: number,
    state: 'clear' | 'unsure' = 'clear',
    link: string | null = 'https://e-gp',
  ): Promise<void> {
    for (let n = from; n < from + count; n += 1) {
      const hash = hashOf(n)
      await db.execute(sql`
        insert into documents (id, organisation_id, project_id, hash, type, name, bytes, added_at, link, fetched_at)
        values (${hash}, ${organisation}::int, ${String(n)}, ${hash}, 'pdf', 'ประกาศ.pdf', 1, now(), ${link}, now())`)
      await db.transaction((tx) => storeFetchedDocumentFacts(tx, hash, reading(state), at(n)))
    }
  }
  const admin = (request: Parameters<typeof runDocumentFactAdminRequest>[1]) =>
    runDocumentFactAdminRequest({ db, by: COMMAND_LINE_ACTOR }, request)
  const check = async (right: number, wrong: number) => {
    for (let n = 0; n < right + wrong; n += 1) {
      const next = await findNextDocumentFactCheck(db, FACT)
      await admin({ do: 'check-fact', fact: FACT, hash: next!.hash, isRight: n < right })
    }
  }
  const currentStatus = async () => (await loadDocumentFactStatuses(db)).find(({ fact }) => fact === FACT)
  const audited = async () =>
    (await db.query<{ detail: { did: string } }>(sql`select detail from audit_events order by id`)).map(
      ({ detail }) => detail.did,
    )

  test('a kind cannot be switched on before 50 readings are checked by hand and 95 % of them are right', async () => {
    await fetched(0, 55)
    expect(await loadTrustedDocumentFactNames(db)).toEqual(new Set())
    expect(await currentStatus()).toMatchObject({ is_on: false, right: 0, wrong: 0, waiting: 55, unsure_share: 0 })
    const on = { do: 'set-fact', fact: FACT, on: true } as const
    await check(46, 3)
    await expect(admin(on)).rejects.toThrow('50 checks')
    await check(1, 0)
    await expect(admin(on)).rejects.toBeInstanceOf(AdminRequestRejectedError)
    const wrong = await db.query<{ hash: string }>(sql`select hash from fact_checks where not is_right order by hash`)
    await admin({ do: 'check-fact', fact: FACT, hash: wrong[0]!.hash, isRight: true })
    await admin(on)
    expect(await loadTrustedDocumentFactNames(db)).toEqual(new Set([FACT]))
    expect(await currentStatus()).toMatchObject({
      is_on: true,
      right: 48,
      wrong: 2,
      waiting: 5,
      switched_by: 'operator',
    })
    expect((await audited()).slice(-2)).toEqual(['check-fact', 'fact-on'])
    await admin({ do: 'set-fact', fact: FACT, on: false })
    expect(await loadTrustedDocumentFactNames(db)).toEqual(new Set())
  })

  test('a kind switches off once 20 % of the last 50 readings are unsure, after 100 more readings', async () => {
    await fetched(0, 50)
    await check(50, 0)
    await admin({ do: 'set-fact', fact: FACT, on: true })
    await db.script("update fact_switches set switched_at = '2026-11-23T03:55:00Z'")
    await fetched(100, 41)
    await fetched(141, 9, 'unsure')
    expect(await loadTrustedDocumentFactNames(db)).toEqual(new Set([FACT]))
    // This is the tenth unsure reading of the last fifty: 20 %.
    await fetched(150, 1, 'unsure')
    expect(await loadTrustedDocumentFactNames(db)).toEqual(new Set())
    expect(await currentStatus()).toMatchObject({ is_on: false, switched_by: 'unsure' })
    expect((await audited()).at(-1)).toBe('fact-undone')
  })

  test('never shows uploads of users to an operator', async () => {
    await fetched(0, 3, 'clear', null)
    expect(await findNextDocumentFactCheck(db, FACT)).toBeUndefined()
    expect(await isFetchedDocumentFile(db, hashOf(0))).toBe(false)
    await expect(admin({ do: 'check-fact', fact: FACT, hash: hashOf(0), isRight: true })).rejects.toThrow(
      'no clear reading',
    )
    await expect(admin({ do: 'next-fact', fact: 'nothing' })).rejects.toThrow('there is no fact')
  })
})
