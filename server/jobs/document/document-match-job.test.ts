import sql from 'sql-template-tag'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { Notification } from '#contract/account/notification.ts'
import type { Organisation } from '#contract/account/organisation.ts'
import type { DocumentReadResult } from '#contract/documents/document.ts'
import type { DocumentKeywordPassages } from '#contract/documents/word-passages.ts'
import type { KeywordPreview, KeywordStats, MatchExplanation } from '#contract/matching/keyword-impact.ts'
import type { ReportPageResponse } from '#contract/report/report.ts'
import { saveDocumentReadResult } from '#server/documents/queries.ts'
import { deleteExpiredDocumentText, storePublicDocumentText } from '#server/matching/documents/public-document-text.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import { rematchOrganisation } from '#server/matching/rematch-organisation.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { hashPassword } from '#server/platform/route/password-hash.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { findReportMailProjects } from '#server/report/mail/mail-content-queries.ts'
import { jobsOf, runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, addOrganisation, addUser, putProjects } from '../../../test/world/report-world.ts'
import { projectMatchJob } from '../match-job.ts'
import { documentMatchJob } from './document-match-job.ts'

const PASSWORD = 'Tamngan#2569'
const NOW = new Date('2026-11-23T03:00:00Z')
const WORD = 'หม้อแปลงไฟฟ้า'
const LIMITS = ['include_by_name', 'exclude_by_name', 'include_by_ai', 'exclude_by_ai', 'include_by_deptsub']
const CONFIG = {
  ...Object.fromEntries(LIMITS.map((name) => [`limit_${name}`, 100])),
  ...{ not_allow_start_time: '01:00:00', not_allow_end_time: '02:00:00' },
  ...{ start_date_budgetyear: null, end_date_budgetyear: null },
}
const PAGES = ['ประกาศประกวดราคา', 'ต้องติดตั้ง หม้อแปลง ไฟฟ้า ขนาด 500 เควีเอ โดยนายสมชาย ใจดี']

onEachEngineInTurn('a watch word that looks into public documents', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  const clock = NOW
  let [ownOrganisation, otherOrganisation, holder] = [0, 0, 0]
  let member: SignedIn
  let stranger: SignedIn

  const account = async (organisationId: number) => {
    const id = await addUser(db, organisationId)
    const [user] = await db.query<{ email: string }>(sql`
      update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${id}::int returning email`)
    return signIn(app, user!.email, PASSWORD)
  }
  const put = async (
    hash: string,
    project: string,
    pages: readonly string[] = PAGES,
    { type = 'D0', isFetched = true, at = NOW } = {},
  ) => {
    const link = isFetched ? `https://process5.gprocurement.go.th/${hash}` : null
    if (link !== null)
      await db.execute(sql`
        insert into intake_links (project_id, type, link, agency, published_on, state, found_at)
        values (${project}, ${type}, ${link}, 'x', '2026-11-20', 'had', ${at.toISOString()}::timestamptz) on conflict do nothing`)
    const id = `${hash}-${project}`
    await db.execute(sql`
      insert into documents (id, organisation_id, project_id, hash, type, name, bytes, added_at, link, fetched_at)
      values (${id}, ${holder}::int, ${project}, ${hash}, 'pdf', 'ประกาศเชิญชวน.pdf', 8, ${at.toISOString()}::timestamptz, ${link},
        ${isFetched ? at.toISOString() : null}::timestamptz)`)
    const reading: DocumentReadResult = {
      outcome: 'read',
      kind: 'other',
      pages: pages.map((text) => ({ text })),
      facts: [],
    }
    await db.transaction(async (tx) => {
      await saveDocumentReadResult(tx, { id, organisationId: holder }, reading, at)
      await storePublicDocumentText(tx, hash, reading, at)
    })
  }
  const work = async () => {
    await runDue(documentMatchJob, { db, now: () => clock })
    await runDue(projectMatchJob, { db, now: () => clock })
  }
  const call = async <T>(
    user: SignedIn,
    url: string,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE' = 'GET',
    body?: object,
  ) => {
    const answer = await app.inject({
      url: `/api/v2/${url}`,
      method,
      headers: user.headers,
      ...(body && { payload: body }),
    })
    if (answer.statusCode >= 500 || answer.statusCode === 401) throw new Error(answer.body)
    return { status: answer.statusCode, body: (answer.body === '' ? {} : answer.json()) as T }
  }
  const report = async (user = member) => (await call<ReportPageResponse>(user, 'projects')).body.results
  const ids = async (user = member) => (await report(user)).map(({ project_id: id }) => id).sort()
  const keyword = async (user = member, word = WORD) =>
    (await call<Organisation>(user, 'organisations/me')).body.include.find((included) => included.word === word)!
  const tick = async (on = true, user = member, word = WORD) =>
    call<{ lines?: { message: string }[] }>(user, 'organisations/me', 'PATCH', {
      include_keywords: [{ id: (await keyword(user, word)).id, in_documents: on }],
    })
  const bell = async (user = member): Promise<Notification[]> =>
    (await call<{ notification_updated_status: { notifications: Notification[] } }>(user, 'users/me')).body
      .notification_updated_status.notifications
  const count = async (table: 'public_documents' | 'public_pages' | 'document_matches') => {
    const [row] = await db.query<{ n: number }>(
      {
        public_documents: sql`select count(*)::int as n from public_documents`,
        public_pages: sql`select count(*)::int as n from public_pages`,
        document_matches: sql`select count(*)::int as n from document_matches`,
      }[table],
    )
    return row!.n
  }

  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db, { now: () => clock })
    const old = await addLoad(db)
    await putProjects(db, old, [
      { id: '67110000001' },
      { id: '67110000002' },
      { id: '67110000003', name: 'ซื้อหม้อแปลงไฟฟ้า' },
      { id: '67110000004', name: 'จ้างรักษาความปลอดภัย' },
    ])
    ownOrganisation = await addOrganisation(db, {
      config: CONFIG,
      words: { include: [WORD, 'สายเคเบิลใต้น้ำ'], exclude: ['ความปลอดภัย'] },
    })
    otherOrganisation = await addOrganisation(db, { config: CONFIG, words: { include: [WORD] } })
    holder = await addOrganisation(db)
    await db.transaction((tx) => matchDataLoadProjects(tx, old))
    await addLoad(db)
    member = await account(ownOrganisation)
    stranger = await account(otherOrganisation)
  })
  beforeEach(async () => {
    await db.script(`
      delete from documents; delete from intake_links; delete from public_documents; delete from public_pages; delete from document_matches; delete from jobs;
      delete from notifications; delete from bookmarks; update keywords set in_documents = false`)
    await db.execute(
      sql`update keywords set word = ${WORD}, word_key = ${WORD} where list = 'include' and word like 'หม้อ%'`,
    )
    for (const id of [ownOrganisation, otherOrganisation]) await rematchOrganisation(db, id)
  })

  test('adds the project of an arriving invitation as new, with its page, and notifies without the passage', async () => {
    expect(await ids()).toEqual(['67110000003'])
    expect((await tick()).status).toBe(200)
    await work()
    await put('a'.repeat(64), '67110000001')
    await work()
    const rows = await report()
    expect(rows.map(({ project_id: id }) => id).sort()).toEqual(['67110000001', '67110000003'])
    const row = rows.find(({ project_id: id }) => id === '67110000001')!
    expect(row).toMatchObject({ change_status: 'new', matched_by: ['name'], matched_words: [] })
    expect(row.match_reasons).toEqual([{ list: 'include', word: WORD, group: null, terms: [], page: 2 }])
    expect(rows.find(({ project_id: id }) => id === '67110000003')!.match_reasons[0]!.page).toBeNull()
    expect(await ids(stranger)).toEqual(['67110000003'])
    const [notification, ...more] = await bell()
    expect(more).toEqual([])
    expect(notification).toMatchObject({
      type: 'Document_found',
      project_id: '67110000001',
      found: { word: WORD, page: 2 },
    })
    expect(JSON.stringify(notification)).not.toContain('สมชาย')
    await put('b'.repeat(64), '67110000001')
    await work()
    expect(await bell()).toHaveLength(1)
    expect(await bell(stranger)).toEqual([])
  })

  test('R62: shows the passage only to organisations that have the project through it', async () => {
    await tick()
    await put('a'.repeat(64), '67110000001')
    await work()
    const { status, body } = await call<DocumentKeywordPassages>(member, 'projects/67110000001/word-passages')
    expect(status).toBe(200)
    expect(body.passages).toMatchObject([{ word: WORD, page: 2, document_id: null, document_name: 'ประกาศเชิญชวน.pdf' }])
    const { text, marks } = body.passages[0]!.excerpt!
    expect(marks.map(({ from, to }) => text.slice(from, to))).toEqual(['หม้อแปลง ไฟฟ้า'])
    expect((await call(stranger, 'projects/67110000001/word-passages')).status).toBe(404)
    expect((await call<DocumentKeywordPassages>(stranger, 'projects/67110000003/word-passages')).body.passages).toEqual(
      [],
    )
    // An organisation that retains documents for a day gets no text from older ones.
    await db.execute(
      sql`update organisations set customer_config = customer_config || '{"limit_document_days": 1}' where id = ${ownOrganisation}::int`,
    )
    await db.execute(sql`update public_documents set fetched_at = fetched_at - interval '2 days'`)
    expect(
      (await call<DocumentKeywordPassages>(member, 'projects/67110000001/word-passages')).body.passages,
    ).toMatchObject([{ page: 2, excerpt: null }])
    await db.execute(
      sql`update organisations set customer_config = customer_config - 'limit_document_days' where id = ${ownOrganisation}::int`,
    )
  })

  test('R62: ignores uploads, drafts and text read from pictures', async () => {
    await tick()
    await put('a'.repeat(64), '67110000001', PAGES, { isFetched: false })
    await put('b'.repeat(64), '67110000002', PAGES, { type: 'B0' })
    await db.transaction((tx) =>
      storePublicDocumentText(
        tx,
        'a'.repeat(64),
        { outcome: 'scan', kind: 'other', pages: [{ text: PAGES[1]! }], facts: [] },
        NOW,
      ),
    )
    await work()
    expect(await ids()).toEqual(['67110000003'])
    expect([await count('public_documents'), await count('public_pages')]).toEqual([0, 0])
  })

  test('exclusions apply to document matches, the ledger lists them, and a rescue adds them', async () => {
    await tick()
    await put('a'.repeat(64), '67110000004')
    await work()
    expect(await ids()).toEqual(['67110000003'])
    const { body } = await call<{ results: { project_id: string; page?: number; word: string }[] }>(
      member,
      'organisations/me/hidden?days=all',
    )
    expect(body.results).toMatchObject([{ project_id: '67110000004', word: 'ความปลอดภัย', page: 2 }])
    expect(await bell()).toEqual([])
    expect(
      (await call(member, 'organisations/me/hidden/rescue', 'POST', { project_ids: ['67110000004'] })).status,
    ).toBe(204)
    await work()
    expect(await ids()).toEqual(['67110000003', '67110000004'])
    await call(member, 'organisations/me/hidden/unrescue', 'POST', { project_ids: ['67110000004'] })
    await work()
    expect(await ids()).toEqual(['67110000003'])
  })

  test('adds earlier documents without news when switched on, and drops matches when switched off or changed', async () => {
    await put('a'.repeat(64), '67110000001')
    await put('b'.repeat(64), '67110000002', ['สายเคเบิล ใต้น้ำ'])
    await work()
    const { body } = await call<KeywordPreview>(member, 'organisations/me/keywords/preview', 'POST', {
      add: {},
      in_documents: [(await keyword()).id],
    })
    expect(body).toMatchObject({ added: 1, added_samples: [{ project_id: '67110000001', page: 2 }] })
    await tick()
    await work()
    expect(await ids()).toEqual(['67110000001', '67110000003'])
    expect((await report()).find(({ project_id: id }) => id === '67110000001')!.change_status).toBe('no_change')
    expect(await bell()).toEqual([])
    const stats = (await call<KeywordStats>(member, 'organisations/me/keyword-stats')).body
    expect(stats.keywords.find(({ id }) => id === 0 + stats.keywords[0]!.id)).toMatchObject({
      hits: 2,
      only: 2,
      in_documents: 1,
    })
    const why = (await call<MatchExplanation>(member, 'projects/67110000001/why')).body
    expect(why).toMatchObject({ in_report: true, project: { page: 2 } })
    expect(why.rules.find(({ rule }) => rule === 'include')!.text).toBe(`พบคำ ‘${WORD}’ ในเอกสาร หน้า 2`)
    await tick(false)
    await work()
    expect(await ids()).toEqual(['67110000003'])
    expect(await count('document_matches')).toBe(0)
    await tick()
    await work()
    const { id } = await keyword()
    await call(member, 'organisations/me/keywords/remove', 'POST', { include_keywords: [{ id }] })
    await work()
    expect(await ids()).toEqual([])
    await call(member, 'organisations/me/keywords/restore', 'POST', { ids: [id] })
    await work()
    expect(await ids()).toEqual(['67110000001', '67110000003'])
    await call(member, 'organisations/me', 'PATCH', { include_keywords: [{ id, word: 'หม้อแปลงพิเศษ' }] })
    await work()
    expect(await ids()).toEqual([])
    expect((await keyword(member, 'หม้อแปลงพิเศษ')).in_documents).toBe(true)
  })

  test('keeps the project when a load rewrites it or the name switch is toggled', async () => {
    await tick()
    await put('a'.repeat(64), '67110000001')
    await work()
    const load = await addLoad(db)
    await putProjects(db, load, [{ id: '67110000001', budget: 5 }])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    expect(await ids()).toEqual(['67110000001', '67110000003'])
    await call(member, 'organisations/me', 'PATCH', { search_by_name: false })
    await work()
    expect(await ids()).toEqual([])
    await call(member, 'organisations/me', 'PATCH', { search_by_name: true })
    await work()
    expect(await ids()).toEqual(['67110000001', '67110000003'])
  })

  test('refuses a word that is too short, of another list, on too many pages or over the limit', async () => {
    const refusalOf = async (word: string) => {
      await db.execute(
        sql`update keywords set word = ${word}, word_key = ${word}, in_documents = false where organisation_id = ${ownOrganisation}::int and word_key = ${WORD}`,
      )
      const { status, body } = await tick(true, member, word)
      await db.execute(
        sql`update keywords set word = ${WORD}, word_key = ${WORD} where organisation_id = ${ownOrganisation}::int and word = ${word}`,
      )
      return [status, body.lines?.[0]?.message]
    }
    expect(await refusalOf('งาน')).toEqual([400, 'คำที่ค้นในเอกสารต้องยาวอย่างน้อย 4 ตัวอักษร'])
    expect(await refusalOf('<<ซ่อมแซม')).toEqual([400, 'คำที่ค้นในเอกสารต้องมีคำที่ต้องพบอย่างน้อยหนึ่งคำ'])
    await put(
      'c'.repeat(64),
      '67110000002',
      Array.from({ length: 120 }, (_, page) => (page < 12 ? PAGES[1]! : PAGES[0]!)),
    )
    expect(await refusalOf(WORD)).toEqual([
      400,
      'คำนี้อยู่ใน 10% ของหน้าเอกสารล่าสุด กว้างเกินไปสำหรับค้นในเอกสาร ใช้คำที่เจาะจงกว่านี้',
    ])
    const exclude = (await call<Organisation>(member, 'organisations/me')).body.exclude[0]!
    const refused = await call<{ lines: { message: string }[] }>(member, 'organisations/me', 'PATCH', {
      exclude_keywords: [{ id: exclude.id, in_documents: true }],
    })
    expect([refused.status, refused.body.lines[0]!.message]).toEqual([400, 'ค้นในเอกสารได้เฉพาะคำที่ต้องมีในชื่อโครงการ'])
    await db.execute(sql`
      insert into keywords (organisation_id, list, word, word_key, in_documents)
      select ${ownOrganisation}::int, 'include', 'คำที่ ' || n, 'คำที่' || n, true from generate_series(1, 20) n`)
    expect((await tick(true, member, 'สายเคเบิลใต้น้ำ')).body.lines![0]!.message).toBe('เปิดค้นในเอกสารได้ไม่เกิน 20 คำ')
    await db.execute(sql`delete from keywords where organisation_id = ${ownOrganisation}::int and word like 'คำที่ %'`)
  })

  test('the next mails report it to users not yet notified; text expires after 120 days, the match stays', async () => {
    await tick()
    await work()
    await put('a'.repeat(64), '67110000001')
    await work()
    expect(await ids()).toEqual(['67110000001', '67110000003'])
    const [latest] = await db.query<{ id: number }>(sql`select max(id) as id from loads`)
    const candidates = await findReportMailProjects(db, ownOrganisation, {
      loadIds: [latest!.id + 1],
      announcedIds: [],
      today: '2026-11-24',
      now: NOW,
    })
    expect(candidates).toMatchObject([{ id: '67110000001', is_new: false, documented_at: expect.any(String) }])
    const after = new Date(NOW.getTime() + 4 * 86_400_000)
    expect(
      await findReportMailProjects(db, ownOrganisation, {
        loadIds: [latest!.id + 1],
        announcedIds: [],
        today: '2026-11-27',
        now: after,
      }),
    ).toEqual([])
    expect(await deleteExpiredDocumentText(db, new Date(NOW.getTime() + 119 * 86_400_000))).toBe(0)
    expect(await deleteExpiredDocumentText(db, new Date(NOW.getTime() + 121 * 86_400_000))).toBe(1)
    expect([await count('public_documents'), await count('public_pages'), await count('document_matches')]).toEqual([
      0, 0, 1,
    ])
    expect(await ids()).toEqual(['67110000001', '67110000003'])
    expect(
      (await call<DocumentKeywordPassages>(member, 'projects/67110000001/word-passages')).body.passages,
    ).toMatchObject([{ excerpt: null, link: null }])
    await db.execute(
      sql`delete from keywords where organisation_id = ${ownOrganisation}::int and word = 'สายเคเบิลใต้น้ำ'`,
    )
  })

  test('deleting an organisation deletes its document matches', async () => {
    const gone = await addOrganisation(db, { words: { include: [WORD] } })
    await db.execute(sql`update keywords set in_documents = true where organisation_id = ${gone}::int`)
    await put('a'.repeat(64), '67110000001')
    await work()
    expect(await count('document_matches')).toBe(1)
    await db.execute(sql`delete from organisations where id = ${gone}::int`)
    expect(await count('document_matches')).toBe(0)
    expect((await jobsOf(db, 'document-match')).every(({ state }) => state === 'done')).toBe(true)
  })
})
