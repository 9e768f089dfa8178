import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import {
  MAX_COUNTED_PAGE_MATCHES,
  MAX_RETURNED_PAGE_MATCHES,
  parseDocumentQuery,
} from '#contract/documents/document-search.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { runAsTenant } from '#server/platform/engine/tenant.ts'
import { onEachEngineInTurn } from '../../test/server/databases.ts'
import { putDocuments } from '../../test/world/read-documents.ts'
import { addOrganisation } from '../../test/world/report-world.ts'
import { searchDocuments } from './search-documents.ts'

const DOCUMENTS = 130
const PAGES = 20
/** Returns the text of a page. A word on more pages than are searched counts as common. */
const textOf = (document: number, page: number) =>
  [
    'ทุกหน้า',
    page % 2 === 0 ? 'หน้าคู่' : 'หน้าคี่',
    document % 10 === 3 ? 'สิบฉบับ' : '',
    document < 100 ? 'ฉบับเก่า' : '',
    document === 7 && page === 5 ? 'หน้าเดียว' : '',
  ].join(' ')

onEachEngineInTurn('search in more pages than anybody looks at', (makeDb) => {
  let db: OpenDb
  let organisationId: number
  let all: { readonly id: string; readonly page: number; readonly text: string }[]

  beforeAll(async () => {
    db = await makeDb()
    organisationId = await addOrganisation(db)
    const documents = Array.from({ length: DOCUMENTS }, (_, at) => ({
      projectId: String(at),
      pages: Array.from({ length: PAGES }, (__, page) => textOf(at, page + 1)),
    }))
    const ids = await putDocuments(db, organisationId, documents)
    await db.execute(sql`update documents set added_at = added_at + project_id::int * interval '1 minute'`)
    const stranger = await addOrganisation(db)
    await putDocuments(db, stranger, [{ projectId: '1', pages: ['ทุกหน้า หน้าเดียว'] }])
    all = documents
      .flatMap(({ pages }, at) => pages.map((text, page) => ({ id: ids[at]!, page: page + 1, text, at })))
      .toSorted((a, b) => b.at - a.at || a.page - b.page)
  })

  test.each([
    ['ทุกหน้า', (text: string) => text.includes('ทุกหน้า')],
    ['หน้าคู่', (text) => text.includes('หน้าคู่')],
    ['หน้าเดียว', (text) => text.includes('หน้าเดียว')],
    ['สิบฉบับ', (text) => text.includes('สิบฉบับ')],
    ['ฉบับเก่า', (text) => text.includes('ฉบับเก่า')],
    ['ทุกหน้า ## สิบฉบับ', (text) => text.includes('สิบฉบับ')],
    ['หน้าเดียว || สิบฉบับ', (text) => /หน้าเดียว|สิบฉบับ/.test(text)],
    ['ทุกหน้า << ฉบับเก่า', (text) => !text.includes('ฉบับเก่า')],
    ['ทุกหน้า << (หน้าคู่ || หน้าคี่)', () => false],
    ['ทุกหน้า ## (สิบฉบับ || หน้าคู่)', (text) => /หน้าคู่|สิบฉบับ/.test(text)],
    ['ไม่มีคำนี้', () => false],
  ] as const satisfies readonly (readonly [string, (text: string) => boolean])[])(
    '%s: returns the newest twenty and a total of up to a thousand',
    async (typed, answers) => {
      const question = parseDocumentQuery(typed)
      if (!question.ok) throw new Error(question.text)
      const expected = all.filter(({ text }) => answers(text))
      const { results, total } = await runAsTenant({ organisationId, userId: 1 }, () =>
        searchDocuments(db, organisationId, question, undefined),
      )
      expect(total).toBe(Math.min(MAX_COUNTED_PAGE_MATCHES, expected.length))
      expect(results.map(({ document_id, page }) => `${document_id} ${page}`)).toEqual(
        expected.slice(0, MAX_RETURNED_PAGE_MATCHES).map(({ id, page }) => `${id} ${page}`),
      )
    },
  )
})
