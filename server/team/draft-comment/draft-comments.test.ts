import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PursuitDetail, pursuitDetailSchema } from '#contract/team/pursuit.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'

import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { readZip } from '../../../test/read-zip.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, putProjects } from '../../../test/world/report-world.ts'

const NOW = new Date('2026-11-21T03:00:00Z')
const PROJECT = '67110000001'
const LETTER = '\tเรื่อง ข้อสังเกต <1> & 2\nบรรทัดสอง'

onEachEngineInTurn('comments on a draft', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let boss: SignedIn
  let seller: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    const load = await addLoad(db)
    await putProjects(db, load, [{ id: PROJECT, name: 'ประกวดราคาซื้อกล้องวงจรปิด', discussionEndsOn: '2026-11-25' }])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
    app = await appOn(db, { now: () => NOW })
    boss = await signIn(app, 'manager@tharamek.example')
    seller = await signIn(app, 'sales@tharamek.example')
  })
  afterAll(() => app.close())

  const call = (method: 'GET' | 'POST' | 'DELETE', path: string, caller: SignedIn, body?: object) =>
    app.inject({ method, url: `/api/v2/pursuits/${path}`, headers: caller.headers, ...(body && { payload: body }) })
  const record = (commented_on: string, caller = seller, text = LETTER) =>
    call('POST', `${PROJECT}/draft-comments`, caller, { commented_on, text })
  const detail = async (): Promise<PursuitDetail> =>
    pursuitDetailSchema.parse((await call('GET', PROJECT, boss)).json())

  test('are stored with their day and author, newest first, and in the history', async () => {
    expect((await record('2026-11-19')).statusCode).toBe(200)
    expect((await record('2026-11-20', boss, 'ฉบับที่สอง')).statusCode).toBe(200)
    const { draft_comments: comments, history, pursuit } = await detail()
    expect(comments.map(({ commented_on, text }) => [commented_on, text])).toEqual([
      ['2026-11-20', 'ฉบับที่สอง'],
      ['2026-11-19', LETTER],
    ])
    expect(comments[0]!.by).not.toBe(comments[1]!.by)
    expect(history.map(({ action, to }) => [action, to])).toEqual([
      ['comment_draft', '2026-11-20'],
      ['comment_draft', '2026-11-19'],
    ])
    expect(pursuit).toBeNull()
  })

  test('refuse an empty letter, a future day, an impossible day and an unknown project', async () => {
    for (const body of [
      { commented_on: '2026-11-20', text: ' \n' },
      { commented_on: '2026-11-22', text: LETTER },
      { commented_on: '2026-02-30', text: LETTER },
    ])
      expect((await call('POST', `${PROJECT}/draft-comments`, seller, body)).statusCode).toBe(400)
    const unknown = await call('POST', '67110009999/draft-comments', seller, {
      commented_on: '2026-11-20',
      text: LETTER,
    })
    expect(unknown.statusCode).toBe(404)
    expect((await detail()).draft_comments).toHaveLength(2)
  })

  test('can be withdrawn once by their author or a super user, and stay readable', async () => {
    const [ofBoss, ofSeller] = (await detail()).draft_comments
    const withdraw = (id: number, caller: SignedIn) => call('DELETE', `${PROJECT}/draft-comments/${id}`, caller)
    expect((await withdraw(ofBoss!.id, seller)).statusCode).toBe(400)
    expect((await withdraw(ofSeller!.id, boss)).statusCode).toBe(200)
    expect((await withdraw(ofSeller!.id, boss)).statusCode).toBe(404)
    const { draft_comments: comments, history } = await detail()
    expect(comments[1]).toMatchObject({ text: LETTER, withdrawn_at: NOW.toISOString() })
    expect(comments[0]!.withdrawn_at).toBeNull()
    expect(history[0]).toMatchObject({ action: 'withdraw_draft_comment', to: '2026-11-19' })
  })

  test('stay readable when the project leaves the report', async () => {
    await db.execute(sql`delete from project_matches where project_id = ${PROJECT}`)
    expect((await detail()).draft_comments).toHaveLength(2)
  })

  test('download as a Word file with a paragraph per line, tabs and escaped signs', async () => {
    const answer = await call('POST', `${PROJECT}/draft-letter`, seller, { text: LETTER })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-disposition']).toContain('draft-letter-20261121.docx')
    const files = readZip(answer.rawPayload)
    expect([...files.keys()]).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'word/_rels/document.xml.rels',
      'word/settings.xml',
      'word/document.xml',
    ])
    const xml = files.get('word/document.xml')!
    expect(xml.match(/<w:p>/g)).toHaveLength(2)
    expect(xml).toContain('<w:tab/><w:t xml:space="preserve">เรื่อง ข้อสังเกต &lt;1&gt; &amp; 2</w:t>')
    expect(xml).toContain('บรรทัดสอง')
  })
})
