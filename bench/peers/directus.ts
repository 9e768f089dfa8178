import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { PeerSetup } from './install.ts'
import { toGroupedAnswer } from './limits.ts'
import { type Contender, fetchText, PAGE_SIZE, type Question } from './questions.ts'

/** The address has a real top-level domain, because Directus rejects unknown ones. */
const EMAIL = 'owner@example.co.th'
const START_MS = 240_000

/**
 * Starts an installed Directus on the database that contains `projects`, and signs in as its administrator, who is
 * exempt from permission checks.
 */
export async function startDirectus({ scratch, folder, node, port, rows }: PeerSetup): Promise<Contender> {
  const password = randomBytes(12).toString('hex')
  const base = `http://127.0.0.1:${port}`
  const env = {
    ...node.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: base,
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: rows,
    SECRET: randomBytes(32).toString('hex'),
    ADMIN_EMAIL: EMAIL,
    ADMIN_PASSWORD: password,
    ACCESS_TOKEN_TTL: '1d',
    TELEMETRY: 'false',
    CACHE_ENABLED: 'false',
    RATE_LIMITER_ENABLED: 'false',
    WEBSOCKETS_ENABLED: 'false',
    LOG_LEVEL: 'error',
    NODE_ENV: 'production',
  }
  const cli = path.join(folder, 'node_modules/directus/cli.js')
  await scratch.run({ name: 'directus-bootstrap', command: node.path, args: [cli, 'bootstrap'], env, cwd: 'directus' })
  const command = { name: 'directus', command: node.path, args: [cli, 'start'], env, cwd: 'directus' }
  await scratch.serve(command, `${base}/server/ping`, START_MS)
  const answer = await fetch(`${base}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password }),
  })
  if (!answer.ok) throw new Error(`Directus login failed: ${answer.status} ${await answer.text()}`)
  const { data } = (await answer.json()) as { data: { access_token: string } }
  return directusContender(base, data.access_token)
}

function directusContender(base: string, token: string): Contender {
  const headers = { authorization: `Bearer ${token}` }
  return {
    name: 'Directus',
    ask: (question) => fetchText(`${base}/items/projects?${new URLSearchParams(parameters(question))}`, headers),
    read(question, body) {
      if (question.kind === 'groups')
        return toGroupedAnswer((JSON.parse(body) as { data: { province: string | null; count: string }[] }).data)
      return { total: (JSON.parse(body) as { meta: { filter_count: number } }).meta.filter_count }
    },
  }
}

function parameters(question: Question): Record<string, string> {
  const page = { limit: String(PAGE_SIZE), meta: 'filter_count', sort: '-movement_date,id' }
  switch (question.kind) {
    case 'page':
      return { ...page, page: String(question.page) }
    case 'word':
      return { ...page, filter: JSON.stringify({ name: { _icontains: question.word } }) }
    case 'filtered':
      return {
        ...page,
        filter: JSON.stringify({
          _and: [{ province: { _in: question.provinces } }, { budget: { _between: [question.min, question.max] } }],
        }),
        sort: '-budget,id',
      }
    case 'groups':
      return {
        filter: JSON.stringify({ budget: { _between: [question.min, question.max] } }),
        'aggregate[count]': '*',
        'groupBy[]': 'province',
        limit: '-1',
      }
  }
}
