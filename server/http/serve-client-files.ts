import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ORGANISATION_LOGIN_META_TAG_NAME } from '#contract/account/organisation-login.ts'
import { findScreenByPath, findScreenTitleByPath } from '#contract/screen.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import type { HttpSettings } from './http-settings.ts'

type PageSettings = Pick<
  HttpSettings,
  'sentryDsn' | 'contactUrl' | 'sampleLogin' | 'sampleProgress' | 'organisationLogin'
> & {
  /** Base URL of links in previews; never derived from the request's Host header. */
  readonly baseUrl: () => string
}

/**
 * Returns a reader of `index.html` with the operator's settings in it. Re-reads the file when its mtime changes, as after
 * a build under a running server. Resolves to undefined if the client has not been built.
 */
function createIndexPage(distDir: string, settings: PageSettings): () => Promise<string | undefined> {
  const file = path.join(distDir, 'index.html')
  let cachedPage: { readonly changedAt: number; readonly html: string } | undefined
  return async () => {
    const changedAt = await stat(file).then(
      (stats) => stats.mtimeMs,
      () => undefined,
    )
    if (changedAt === undefined) return undefined
    if (cachedPage?.changedAt !== changedAt)
      cachedPage = { changedAt, html: insertPageSettings(await readFile(file, 'utf8'), settings) }
    if (settings.sampleProgress?.() === undefined) return cachedPage.html
    return cachedPage.html.replace('</head>', () => `${metaTag('sample-arrives', 'true')}</head>`)
  }
}

export function insertPageSettings(
  html: string,
  { sentryDsn, contactUrl, sampleLogin, organisationLogin }: Omit<PageSettings, 'baseUrl'>,
): string {
  const tags =
    metaTag('sentry-dsn', sentryDsn) +
    metaTag('contact-url', contactUrl) +
    metaTag(
      ORGANISATION_LOGIN_META_TAG_NAME,
      organisationLogin && Object.values(organisationLogin).some(Boolean) ? 'on' : undefined,
    ) +
    metaTag('sample-login', sampleLogin && JSON.stringify(sampleLogin))
  return html.replace('</head>', () => `${tags}</head>`)
}

function metaTag(name: string, value: string | undefined, attribute: 'name' | 'property' = 'name'): string {
  if (!value) return ''
  const content = value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return `<meta ${attribute}="${name}" content="${content}">`
}

/**
 * Returns the link preview tags for chat programs. They have no session and cache what they read, so the tags name only
 * the screen and are the same for every link, including links that do not exist (decision 0041).
 */
function buildLinkPreviewTags(pathname: string, baseUrl: string): string {
  const tags = {
    'og:site_name': 'ตามงาน',
    'og:type': 'website',
    'og:locale': 'th_TH',
    'og:title': findScreenTitleByPath(pathname),
    'og:description': 'โครงการจัดซื้อจัดจ้างภาครัฐที่ตรงกับธุรกิจของคุณ เข้าสู่ระบบเพื่อเปิดดู',
    'og:image': new URL('/preview.png', baseUrl).href,
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': 'ตามงาน ติดตามโครงการจัดซื้อจัดจ้างภาครัฐ',
  }
  const openGraphTags = Object.entries(tags).map(([name, content]) => metaTag(name, content, 'property'))
  return `${openGraphTags.join('')}${metaTag('twitter:card', 'summary_large_image')}`
}

/** Opens the comment with the preloads of the report's code (`scripts/report-preloads.ts`) on pages that show it first. */
export function withReportPreloads(html: string, url: string): string {
  const isReport = pathOf(url) === '/report' || url.startsWith('/login?refkey=')
  return isReport ? html.replace('<!--report:', '').replace(':report-->', '') : html
}

const FOREVER = 'public, max-age=31536000, immutable'
const REVALIDATE = 'no-cache'
/**
 * Cache lifetime of the installed app's icon. The tab icon is inlined in the page instead, because browsers requested
 * it at every URL change, i.e. with every filter click.
 */
const A_DAY = 'public, max-age=86400'

function cacheControlOf(file: string): string {
  if (/[/\\]assets[/\\]/.test(file)) return FOREVER
  return /[/\\]icon\.svg/.test(file) ? A_DAY : REVALIDATE
}

export type ClientFiles = {
  /**
   * Answers a navigation with the client's `index.html`: 200 for a known screen, 404 with the same page for an unknown
   * one or when `status` is 404 (the client then shows its not-found screen). Resolves to false when the request is not
   * a navigation or the client has not been built.
   */
  sendPage(request: FastifyRequest, reply: FastifyReply, status?: 404): Promise<boolean>
}

export async function serveClientFiles(app: RouteApp, distDir: string, settings: PageSettings): Promise<ClientFiles> {
  const indexPage = createIndexPage(distDir, settings)
  const sendPage: ClientFiles['sendPage'] = async (request, reply, status) => {
    const html = isPageRequest(request) ? await indexPage() : undefined
    if (html === undefined) return false
    const isScreen = status === undefined && findScreenByPath(pathOf(request.url)) !== undefined
    void reply
      .code(isScreen ? 200 : 404)
      .type('text/html; charset=utf-8')
      .header('cache-control', REVALIDATE)
      .send(
        withReportPreloads(html, request.url).replace(
          '</title>',
          () => `</title>${buildLinkPreviewTags(pathOf(request.url), settings.baseUrl())}`,
        ),
      )
    return true
  }
  // The file server answers `\\`, `//` and dot segments with 403, but company names and mistyped URLs contain them.
  app.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.url !== '/*' || isFilePath(pathOf(request.url))) return
    if (await sendPage(request, reply)) return reply
    throw new ProblemError('not_found')
  })
  await app.register(fastifyStatic, {
    root: distDir,
    index: false,
    redirect: false,
    dotfiles: 'ignore',
    preCompressed: true,
    cacheControl: false,
    // Folders have no page. The file index.html is never served as is, because it needs the operator's settings.
    allowedPath: (name) => !name.endsWith('/') && name !== '/index.html',
    setHeaders: (reply, file) => {
      reply.header('cache-control', cacheControlOf(file))
      // Allows the service worker to control the whole site; browsers revalidate it at each update check.
      if (/[/\\]worker\.js/.test(file)) reply.header('service-worker-allowed', '/')
    },
  })
  return { sendPage }
}

/** True if the path has the one canonical spelling that `@fastify/static` requires. */
function isFilePath(pathname: string): boolean {
  let decoded: string
  try {
    decoded = decodeURIComponent(pathname)
  } catch {
    return false
  }
  return !decoded.includes('\\') && path.posix.normalize(decoded) === decoded
}

const pathOf = (url: string) => url.split('?', 1)[0] ?? ''

/**
 * Returns true if the request is a user's navigation rather than a request for a missing file: no dotfile, nothing
 * under /assets/, and a client that accepts HTML.
 */
export function isPageRequest({ method, url, headers }: Pick<FastifyRequest, 'method' | 'url' | 'headers'>): boolean {
  const pathname = pathOf(url)
  if (method !== 'GET' && method !== 'HEAD') return false
  if (/^\/(api|assets)(\/|$)/.test(pathname) || /\/(\.|%2e)/i.test(pathname)) return false
  // The service worker cannot navigate; it fetches the page to cache it for offline use, so accept its request too.
  if (headers.accept === 'text/html') return true
  if (headers['sec-fetch-mode'] !== undefined) return headers['sec-fetch-mode'] === 'navigate'
  if (headers.accept?.includes('text/html')) return true
  return headers.accept === undefined || headers.accept.includes('*/*') ? !/\.[a-z0-9]{1,5}$/i.test(pathname) : false
}
