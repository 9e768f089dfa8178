import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PeerSetup } from './install.ts'
import { toGroupedAnswer } from './limits.ts'
import { type Contender, fetchText, PAGE_SIZE, type Question } from './questions.ts'

const EMAIL = 'owner@example.co.th'
const START_MS = 240_000
const SYNC_MS = 120_000
const POLL_INTERVAL_MS = 500

/** The npm package is only a library, so this script starts it as the official image does. */
const SERVER = `
const { Noco } = require('nocodb')
const express = require('express')
const app = express()
const server = app.listen(Number(process.env.PORT), '127.0.0.1', async () => {
  app.use(await Noco.init({}, server, app))
})
`

export async function startNocoDb({ scratch, folder, node, port, rows, meta }: PeerSetup): Promise<Contender> {
  const password = `Aa1!${randomBytes(12).toString('hex')}`
  const base = `http://127.0.0.1:${port}`
  const metaUrl = new URL(meta)
  const env = {
    ...node.env,
    PORT: String(port),
    NC_DB: `pg://${metaUrl.hostname}:${metaUrl.port}?u=${metaUrl.username}&p=none&d=${metaUrl.pathname.slice(1)}`,
    NC_AUTH_JWT_SECRET: randomBytes(32).toString('hex'),
    NC_ADMIN_EMAIL: EMAIL,
    NC_ADMIN_PASSWORD: password,
    // Required because the database is on localhost.
    NC_ALLOW_LOCAL_EXTERNAL_DBS: 'true',
    NC_DISABLE_TELE: 'true',
    NODE_ENV: 'production',
  }
  const main = path.join(folder, 'serve.cjs')
  writeFileSync(main, SERVER)
  const command = { name: 'nocodb', command: node.path, args: [main], env, cwd: 'nocodb' }
  await scratch.serve(command, `${base}/api/v1/health`, START_MS)
  const call = caller(base)
  const { token } = (await call('POST', '/api/v1/auth/user/signin', { email: EMAIL, password })) as { token: string }
  const signedIn = caller(base, token)
  const data = new URL(rows)
  const config = {
    client: 'pg',
    connection: {
      host: data.hostname,
      port: Number(data.port),
      user: data.username,
      password: 'none',
      database: data.pathname.slice(1),
    },
    searchPath: ['public'],
  }
  const source = { type: 'pg', config, inflection_column: 'none', inflection_table: 'none' }
  const made = (await signedIn('POST', '/api/v2/meta/bases', {
    title: 'peers',
    external: true,
    sources: [source],
  })) as {
    id: string
  }
  const until = performance.now() + SYNC_MS
  for (;;) {
    const { list } = (await signedIn('GET', `/api/v2/meta/bases/${made.id}/tables`)) as {
      list: { id: string; table_name: string }[]
    }
    const table = list.find(({ table_name }) => table_name === 'projects')
    if (table) return nocoDbContender({ base, token, tableId: table.id, baseId: made.id })
    if (performance.now() > until) throw new Error('NocoDB did not import the table')
    await sleep(POLL_INTERVAL_MS)
  }
}

const caller = (base: string, token?: string) => async (method: string, url: string, body?: object) => {
  const answer = await fetch(base + url, {
    method,
    headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { 'xc-auth': token }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`NocoDB ${method} ${url}: ${answer.status} ${text.slice(0, 500)}`)
  return JSON.parse(text) as unknown
}

type Table = { readonly base: string; readonly token: string; readonly tableId: string; readonly baseId: string }

function nocoDbContender({ base, token, tableId, baseId }: Table): Contender {
  const headers = { 'xc-auth': token }
  const records = `${base}/api/v2/tables/${tableId}/records`
  const groups = `${base}/api/v1/db/data/noco/${baseId}/${tableId}/groupby`
  return {
    name: 'NocoDB',
    ask: (question) =>
      fetchText(
        `${question.kind === 'groups' ? groups : records}?${new URLSearchParams(parameters(question))}`,
        headers,
      ),
    read(question, body) {
      const { list, pageInfo } = JSON.parse(body) as {
        list: { province: string | null; count: string }[]
        pageInfo: { totalRows: number }
      }
      return question.kind === 'groups' ? toGroupedAnswer(list) : { total: pageInfo.totalRows }
    },
  }
}

function parameters(question: Question): Record<string, string> {
  const page = { limit: String(PAGE_SIZE), sort: '-movement_date,id' }
  switch (question.kind) {
    case 'page':
      return { ...page, offset: String((question.page - 1) * PAGE_SIZE) }
    case 'word':
      return { ...page, where: `(name,like,${question.word})` }
    case 'filtered':
      return {
        ...page,
        where: `(province,in,${question.provinces.join(',')})~and${between(question)}`,
        sort: '-budget,id',
      }
    case 'groups':
      return { column_name: 'province', where: between(question), limit: '100', sort: 'province' }
  }
}

const between = ({ min, max }: { readonly min: number; readonly max: number }) =>
  `(budget,gte,${min})~and(budget,lte,${max})`
