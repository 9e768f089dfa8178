import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { DocumentStoreAway } from '#server/documents/store/document-store.ts'
import { createDocumentWatch } from './document-watch.ts'
import { operationRoutes } from './operation-routes.ts'

const lines: string[] = []
const log = {
  error: (_fields: object, text: string) => void lines.push(text),
  warn: (_fields: object, text: string) => void lines.push(text),
}

async function readyz(probe?: () => Promise<void>) {
  const app = Fastify()
  const areDocumentsThere = createDocumentWatch(probe ? { probe } : {}, log as never)
  operationRoutes(app as never, async () => true, { areDocumentsThere })
  const answers = [await app.inject('/readyz'), await app.inject('/readyz')]
  await app.close()
  return answers.map((answer) => [answer.statusCode, answer.json()])
}

test('readiness tells of a bucket that is away, stays ready, and asks it once for all who ask', async () => {
  let asked = 0
  const away = async () => {
    asked += 1
    throw new DocumentStoreAway('GET: 403 AccessDenied')
  }
  const told = [200, { status: 'ok', documents: 'unavailable' }]
  expect(await readyz(away)).toEqual([told, told])
  expect([asked, lines]).toEqual([1, ['the store of documents is away: files are neither read nor taken in']])
})

test('files on this machine are always there, and a bucket that answers is not worth a word', async () => {
  const well = [200, { status: 'ok' }]
  expect(await readyz()).toEqual([well, well])
  expect(await readyz(async () => undefined)).toEqual([well, well])
})

test('a probe is not kept waiting by a bucket that does not answer', async () => {
  expect((await readyz(() => new Promise(() => undefined)))[0]).toEqual([200, { status: 'ok' }])
})
