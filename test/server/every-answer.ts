import { createHash } from 'node:crypto'
import { isQueuedRoute } from '#server/http/limit/costly-routes.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { type Call, PLAIN_CALLS } from '../canary/plain-calls.ts'
import { appOn, signIn } from './http-app.ts'

type Asker = {
  readonly email: string
  readonly organisationId: number
  readonly projects: readonly string[]
  readonly companies: readonly string[]
  readonly agency: string
  readonly now: Date
  /** Memory budget of the in-memory columns in MB; 0 sends every query to the database. */
  readonly megabytes: number
}

const SEARCHES = [
  '?project_name__in=กล้อง<<ซ่อม',
  '?is_archived=true',
  '?project_budget__range=1000000,5000000&page_size=100',
  '?project_method__in=e_bidding&ordering=-project_budget',
]

/**
 * Starts a server and calls every costly GET route with the canary's queries, except the usage log. Returns, by URL,
 * the status and the response without timestamps, as text or as a hash.
 */
export async function fetchEveryResponse(db: Db, asker: Asker): Promise<Record<string, string>> {
  const app = await appOn(db, { settings: { reportMemoryMb: asker.megabytes }, now: () => asker.now })
  try {
    const { headers } = await signIn(app, asker.email)
    await app.queryCaches.report?.load([asker.organisationId])
    const routes = app.listedRoutes.filter(
      ({ methods, url }) =>
        methods.includes('GET') &&
        (isQueuedRoute({ method: 'GET', url }) || url.includes('/company-files/')) &&
        !url.includes('/logs'),
    )
    const urls = new Set(routes.flatMap(({ url }) => addressesOf(url, asker)))
    for (const search of SEARCHES) urls.add(`/api/v2/projects${search}`).add(`/api/v2/projects/facets${search}`)
    const answers: Record<string, string> = {}
    for (const url of urls) {
      const answer = await app.inject({ url: encodeURI(url), headers })
      answers[url] = `${answer.statusCode} ${withoutTimes(answer.headers['content-type'], answer.rawPayload)}`
    }
    return answers
  } finally {
    await app.close()
  }
}

function addressesOf(url: string, { projects, companies, agency }: Asker): string[] {
  const calls: readonly Call[] = [{}, ...(PLAIN_CALLS[`GET ${url}`] ?? [])]
  return calls.flatMap(({ query = {} }) => {
    const search = new URLSearchParams(query).toString()
    const behind = search === '' ? '' : `?${search}`
    const values = url.includes(':name') ? companies : url.includes(':code') ? [agency] : projects
    if (!/:\w+|\*$/.test(url)) return [`${url}${behind}`]
    return values.map((value) => `${url.replace(/:\w+|\*$/, value)}${behind}`)
  })
}

function withoutTimes(type: unknown, body: Buffer): string {
  const text = body.toString()
  if (String(type).startsWith('application/json'))
    return JSON.stringify(JSON.parse(text), (_, value: unknown) => {
      if (/^\d{4}-\d\d-\d\dT/.test(String(value))) return 'a time'
      // The URL of a preview contains a token that is sealed with a new nonce each time.
      return /\/report-mail-preview\/[\w.-]+$/.test(String(value)) ? 'a preview' : value
    })
  if (String(type).startsWith('text/')) return text
  return createHash('sha256').update(body).digest('hex')
}
