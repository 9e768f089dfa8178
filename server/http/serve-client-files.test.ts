import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_PROBLEM_TEXTS } from '#contract/http/problem-texts.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onOneEngine } from '../../test/server/databases.ts'
import { appOn } from '../../test/server/http-app.ts'
import { withReportPreloads } from './serve-client-files.ts'

const SCRIPT = '/assets/main-a1b2c3.js'
const NAVIGATION = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'sec-fetch-mode': 'navigate' }
const PAGE =
  '<!doctype html><html lang="th"><head><title>ตามงาน</title></head><body><div id="root"><b>ตามงาน</b></div><noscript>-</noscript></body></html>'

onOneEngine('client files', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let dist: string

  beforeAll(async () => {
    dist = await mkdtemp(path.join(tmpdir(), 'tamngan-dist-'))
    await mkdir(path.join(dist, 'assets'))
    await writeFile(path.join(dist, 'index.html'), PAGE)
    await writeFile(path.join(dist, 'theme.js'), 'plain')
    await writeFile(path.join(dist, 'icon.svg'), '<svg/>')
    await writeFile(path.join(dist, '.secret'), 'hidden')
    await writeFile(path.join(dist, SCRIPT), 'plain')
    await writeFile(path.join(dist, `${SCRIPT}.br`), 'brotli')
    await writeFile(path.join(dist, `${SCRIPT}.gz`), 'gzip')
    db = await makeDb()
    app = await appOn(db, {
      settings: {
        distDir: dist,
        publicUrl: 'https://tamngan.example',
        sentryDsn: 'https://key@sentry.example/4?a=1&b="',
        contactUrl: 'mailto:team@tamngan.example?subject=a&body=<b>',
        sampleLogin: { password: 'a"b<c&d', accounts: [] },
      },
    })
  })
  afterAll(async () => {
    await app.close()
    await rm(dist, { recursive: true })
  })

  test('caches hashed files forever and serves them as compressed at build time', async () => {
    for (const [accepted, body] of [
      ['br, gzip', 'brotli'],
      ['gzip', 'gzip'],
      ['', 'plain'],
    ] as const) {
      const answer = await app.inject({ url: SCRIPT, headers: { 'accept-encoding': accepted } })
      expect([answer.statusCode, answer.body]).toEqual([200, body])
      expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(answer.headers['content-type']).toMatch(/javascript/)
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
    }
  })

  test('link previews name the screen, do not depend on the query and use the configured address', async () => {
    const page = async (url: string) =>
      (await app.inject({ url, headers: { ...NAVIGATION, host: 'evil.example' } })).body
    const tagsOf = (html: string) => html.match(/<meta property="og:[^<>]*>/g)
    const link = await page('/s/0123456789')
    expect(link).toContain('<meta property="og:title" content="รายการโครงการที่ส่งถึงคุณ · ตามงาน">')
    expect(link).toContain('<meta property="og:image" content="https://tamngan.example/preview.png">')
    expect(tagsOf(await page('/s/zzzzzzzzzz'))).toEqual(tagsOf(link))
    expect(tagsOf(await page('/report?project_name__in=camera'))).toEqual(tagsOf(await page('/report')))
    expect(link + (await page('/report?project_name__in=camera'))).not.toMatch(/camera|evil\.example/)
  })

  test('inlines the tab icon as in its file and caches that file for a day', async () => {
    const root = path.join(import.meta.dirname, '../..')
    const page = await readFile(path.join(root, 'index.html'), 'utf8')
    const icon = /href="data:image\/svg\+xml,([^"]*)"/.exec(page)![1]!
    const file = await readFile(path.join(root, 'public/icon.svg'), 'utf8')
    expect(decodeURIComponent(icon)).toBe(file.trim().replaceAll('"', "'"))
    const { headers } = await app.inject({ url: '/icon.svg' })
    expect(headers['cache-control']).toBe('public, max-age=86400')
  })

  test('revalidates files without a hash on every request', async () => {
    const answer = await app.inject({ url: '/theme.js' })
    expect([answer.body, answer.headers['cache-control']]).toEqual(['plain', 'no-cache'])
    const again = await app.inject({ url: '/theme.js', headers: { 'if-none-match': String(answer.headers.etag) } })
    expect(again.statusCode).toBe(304)
  })

  test.each([
    '/',
    '/report',
    '/report?project_name__in=%E0%B8%81',
    '/report/67019000001',
    '/companies/%E0%B8%9A.%E0%B8%81',
    '/reset-password/abc',
    '/settings/',
    '/companies/a%5Cb',
    '/companies/%5C%5Cserver%5Cx',
    '/companies/a%5C..%5Cb',
    '/companies/a%2F%2Fb',
    '/companies/a//b',
    '/companies/%2F%2F',
    '/companies/~5C~2F~2F~25',
    '/companies/a%E2%80%AEb',
    '/agencies/a%5Cb',
  ])('serves the uncached page for a navigation to %s', async (url) => {
    const answer = await app.inject({ url, headers: NAVIGATION })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
    expect(answer.body).toContain('<title>ตามงาน</title>')
    expect((await app.inject({ method: 'HEAD', url, headers: NAVIGATION })).statusCode).toBe(200)
  })

  test.each(['/admin', '/backup.sql', '/index.html', '/no/such/page', '/report/1/2', '/Login', '/a//b', '/a%5Cb'])(
    'serves the page with 404 for a navigation to %s, which is no screen',
    async (url) => {
      const answer = await app.inject({ url, headers: NAVIGATION })
      expect([answer.statusCode, answer.headers['cache-control']]).toEqual([404, 'no-cache'])
      expect(answer.body).toContain('<title>ตามงาน</title>')
      expect((await app.inject({ method: 'HEAD', url, headers: NAVIGATION })).statusCode).toBe(404)
    },
  )

  test('serves the page for an undecodable address and JSON 404 under /api', async () => {
    const page = await app.inject({ url: '/companies/%E0%A4%A', headers: NAVIGATION })
    expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.body).toContain('<title>ตามงาน</title>')
    expect(page.headers['x-content-type-options']).toBe('nosniff')
    for (const [url, headers] of [
      ['/api/v2/companies/%E0%A4%A', NAVIGATION],
      ['/companies/%E0%A4%A', { accept: 'application/json' }],
    ] as const) {
      const answer = await app.inject({ url, headers })
      expect([answer.statusCode, answer.json()]).toEqual([400, { non_field_errors: [API_PROBLEM_TEXTS.bad_input] }])
    }
  })

  test('serves a file only under its canonical path; other spellings are 404, not 403', async () => {
    for (const url of [
      '//theme.js',
      '/assets//main-a1b2c3.js',
      '/assets%5Cmain-a1b2c3.js',
      '/x/..%2Ftheme.js',
      '/%2e%2e%5Ctheme.js',
    ]) {
      const answer = await app.inject({ url, headers: { accept: '*/*', 'sec-fetch-mode': 'no-cors' } })
      expect([url, answer.statusCode, answer.json().code]).toEqual([url, 404, 'not_found'])
    }
  })

  test('serves pages to a plain client, but not for addresses that look like files', async () => {
    expect((await app.inject({ url: '/report', headers: { accept: '*/*' } })).statusCode).toBe(200)
    expect((await app.inject({ url: '/gone.png', headers: { accept: '*/*' } })).statusCode).toBe(404)
    expect((await app.inject({ url: '/report', headers: { accept: 'image/png' } })).statusCode).toBe(404)
  })

  test('the page names the error reporting address, escaped', async () => {
    const { body } = await app.inject({ url: '/', headers: NAVIGATION })
    expect(body).toContain('<meta name="sentry-dsn" content="https://key@sentry.example/4?a=1&amp;b=&quot;">')
    expect(body).toContain('<meta name="contact-url" content="mailto:team@tamngan.example?subject=a&amp;body=&lt;b>">')
    expect(body).toContain(
      '<meta name="sample-login" content="{&quot;password&quot;:&quot;a\\&quot;b&lt;c&amp;d&quot;,&quot;accounts&quot;:[]}"></head>',
    )
  })

  describe('R37: addresses that answer 404', () => {
    test.each([
      '/assets/gone-1234.js',
      '/assets/',
      '/assets',
      '/.secret',
      '/%2esecret',
      '/..%2f..%2fetc%2fpasswd',
      '/assets/..%2f.secret',
      '/api/gone',
      '/api',
      '/.well-known/x',
      `${SCRIPT}/x`,
    ])('%s', async (url) => {
      const answer = await app.inject({ url, headers: NAVIGATION })
      expect([url, answer.statusCode]).toEqual([url, 404])
      expect(answer.body).not.toContain('hidden')
    })
  })

  test('answers other methods on a page with 405 and Allow', async () => {
    const answer = await app.inject({ method: 'POST', url: '/report', payload: {} })
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  test('serves a new build without a restart', async () => {
    await writeFile(path.join(dist, 'index.html'), PAGE.replace('ตามงาน', 'รุ่นใหม่'))
    await utimes(path.join(dist, 'index.html'), new Date(), new Date(Date.now() + 5000))
    expect((await app.inject({ url: '/login', headers: NAVIGATION })).body).toContain('<title>รุ่นใหม่</title>')
  })
})

test.each([
  ['/report', true],
  ['/report?project_name__in=a', true],
  ['/login?refkey=demo', true],
  ['/login', false],
  ['/report/69119000001', false],
])('%s preloads the code of the report: %s', (url, isPreloaded) => {
  const link = '<link rel="modulepreload" href="/assets/report.js">'
  expect(withReportPreloads(`<head><!--report:${link}:report--></head>`, url)).toBe(
    isPreloaded ? `<head>${link}</head>` : `<head><!--report:${link}:report--></head>`,
  )
})
