import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { SAMPLE_PASSWORD } from '#server/features/sample-account/sample-organisations.ts'
import { isCostly } from '#server/http/limit/costly-routes.ts'
import { MATRIX } from '../test/authorisation-matrix/matrix.ts'
import { type HeavyQuestion, heavyQuestions } from '../test/heaviest-values.ts'
import { machineLine } from './server/machine.ts'
import { startOwnServer } from './server/own-server.ts'

/**
 * What others feel of the heaviest questions that are accepted (R42, R49): the real server with the sample is asked, parameter by parameter of every
 * costly route, for the heaviest value, by two visitors of the demo or two users of one organisation at once; meanwhile another organisation asks for its
 * plain report again and again. Wanted: none of those answers takes more than 500 ms.
 *
 *   npx node bench/heaviest.ts [--as demo|organisation|both] [--only TEXT] [--dir FOLDER] [--port 4350]
 *
 * DATABASE_URL: PostgreSQL instead of the embedded database. The sample is made once in FOLDER and kept. `own`: how long the heavy question itself took.
 */
const { values } = parseArgs({
  options: {
    as: { type: 'string', default: 'both' },
    only: { type: 'string', default: '' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-heaviest') },
    port: { type: 'string', default: '4350' },
  },
})
const WANTED_MS = 500
const HEAVY_AT_ONCE = 2
const SHOWN = 12
type Result = HeavyQuestion & {
  readonly who: string
  readonly status: number
  readonly ownMs: number
  readonly otherMs: number
}

const server = await startOwnServer(values.port, values.dir, { SEED: 'sample' }, 900_000)
const api = `${server.base}/api/v2`
try {
  console.log(machineLine(process.env.DATABASE_URL ? 'PostgreSQL' : 'embedded database'))
  const other = await signIn('/auth/login/', { email: 'manager@noensai.example', password: SAMPLE_PASSWORD })
  const askers = {
    demo: () => signIn('/auth/auto-login/', { refkey: 'demo' }),
    organisation: () => signIn('/auth/login/', { email: 'manager@tharamek.example', password: SAMPLE_PASSWORD }),
  }
  const results: Result[] = []
  for (const who of ['demo', 'organisation'] as const) {
    if (values.as !== 'both' && values.as !== who) continue
    const headers = await askers[who]()
    for (const question of questions()) results.push(await measure(who, headers, other, question))
  }
  const worst = results.toSorted((a, b) => b.otherMs - a.otherMs)
  console.log(`${results.length} questions; the slowest plain reports of another organisation beside them:`)
  for (const one of worst.slice(0, SHOWN)) console.log(line(one))
  console.log('the questions that took longest themselves:')
  for (const one of results.toSorted((a, b) => b.ownMs - a.ownMs).slice(0, SHOWN)) console.log(line(one))
  process.exitCode = (worst[0]?.otherMs ?? 0) <= WANTED_MS ? 0 : 1
} finally {
  await server.stop()
}

function line({ who, status, ownMs, otherMs, path, name, value }: Result): string {
  return `  ${otherMs.toFixed(0).padStart(6)} ms other, ${ownMs.toFixed(0).padStart(6)} ms own, ${status} ${who} ${path} ${name}=${value.slice(0, 30)}`
}

function questions(): HeavyQuestion[] {
  const paths = Object.keys(MATRIX)
    .filter((route) => isCostly({ method: route.split(' ')[0]!, url: route.split(' ')[1]! }))
    .filter((route) => /^(GET|POST) /.test(route) && !route.includes(':') && !route.includes('*'))
    .map((route) => route.replace(/^\w+ \/api\/v2/, ''))
  return (
    paths
      .flatMap(heavyQuestions)
      .filter(({ path, name }) => `${path} ${name}`.includes(values.only))
      // A header may be 16 kB: what is longer cannot be sent to the real server.
      .filter(({ value, body }) => body || encodeURIComponent(value).length < 14_000)
  )
}

async function signIn(url: string, body: object): Promise<{ authorization: string }> {
  const answer = await fetch(`${api}${url}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return { authorization: `Bearer ${((await answer.json()) as { access: string }).access}` }
}

async function ask(
  url: string,
  headers: { authorization: string },
  body?: object,
): Promise<{ status: number; ms: number }> {
  const from = performance.now()
  const answer = await fetch(
    `${api}${url}`,
    body
      ? { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
      : { headers },
  )
  await answer.arrayBuffer()
  return { status: answer.status, ms: performance.now() - from }
}

async function measure(
  who: string,
  headers: { authorization: string },
  other: { authorization: string },
  question: HeavyQuestion,
): Promise<Result> {
  const { path: url, name, value, body } = question
  const address = body ? url : `${url}?${new URLSearchParams({ [name]: value })}`
  const heavy = Promise.all(Array.from({ length: HEAVY_AT_ONCE }, () => ask(address, headers, body)))
  let isOver = false
  void heavy.finally(() => {
    isOver = true
  })
  let otherMs = 0
  do {
    const { status, ms } = await ask('/projects', other)
    if (status !== 200) throw new Error(`the plain report answered ${status} beside ${question.path} ${question.name}`)
    otherMs = Math.max(otherMs, ms)
  } while (!isOver)
  const own = await heavy
  return { ...question, who, status: own[0]!.status, ownMs: Math.max(...own.map(({ ms }) => ms)), otherMs }
}
