import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { renderMail } from '#server/platform/mail/render-mail.ts'
import { createOutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, TEST_SECRET } from '../../../test/server/http-app.ts'

const EVIL = '<script>alert(1)</script>'

onEachEngineInTurn('the local outbox', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let id: number

  beforeAll(async () => {
    db = await makeDb()
    app = await appOn(db, { settings: { outbox: true } })
    const mails = createOutgoingMailQueue({ secrets: [TEST_SECRET], baseUrl: () => 'http://localhost:4173' })
    const content = renderMail({ subject: `รหัส ${EVIL}`, preview: '', blocks: [{ text: EVIL }, { code: '012345' }] })
    await mails.queue(db, { kind: 'test', to: `"${EVIL}"@x.example`, content }, new Date('2026-11-21T03:00:00Z'))
    id = (await db.query<{ id: number }>(sql`select id from mails`))[0]!.id
  })
  afterAll(() => app.close())

  test('lists mails and shows one as text and, in a sandboxed frame, as HTML', async () => {
    const list = await app.inject({ url: '/outbox' })
    expect(list.body).toContain(`<a href="/outbox/${id}">`)
    expect(list.body).toContain('21/11/2569 10:00')
    const mail = await app.inject({ url: `/outbox/${id}` })
    expect(mail.body).toMatch(/<pre>[^<]*012345/)
    const frame = await app.inject({ url: `/outbox/${id}/html` })
    expect(frame.headers['content-security-policy']).toMatch(/^default-src 'none';.*sandbox/)
    expect(frame.headers['x-frame-options']).toBe('SAMEORIGIN')
    for (const page of [list, mail, frame]) {
      expect([page.statusCode, page.headers['content-type'], page.headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ])
      expect(page.headers['content-security-policy']).not.toContain('script-src')
      expect(page.body).not.toContain('<script')
      // The page embeds a font, so that Thai is readable on a machine without a Thai font.
      expect(page.headers['content-security-policy']).toContain('font-src data:')
      expect(page.body).toContain('@font-face{font-family:Anuphan')
    }
  })

  test('returns 404 for an unknown mail', async () => {
    for (const unknown of ['0', '999', 'x', '-1', '1e3', '%00']) {
      expect((await app.inject({ url: `/outbox/${unknown}` })).statusCode).toBe(404)
    }
  })

  test('is off in production and when a mail server is set', async () => {
    const closed = await appOn(db)
    for (const url of ['/outbox', `/outbox/${id}`, `/outbox/${id}/html`])
      expect((await closed.inject({ url })).statusCode).toBe(404)
    await closed.close()
  })
})
