import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { DocumentStoreUnavailableError } from '#server/documents/store/document-store.ts'
import { createDocumentStoreCheck } from './create-document-store-check.ts'
import { operationRoutes } from './operation-routes.ts'

const lines: string[] = []
const log = {
  error: (_fields: object, text: string) => void lines.push(text),
  warn: (_fields: object, text: string) => void lines.push(text),
}

async function readyz(probe?: () => Promise<void>) {
  const app = Fastify()
  const areDocumentsThere = createDocumentStoreCheck(probe ? { probe } : {}, log as never)
  operationRoutes(app as never, async () => true, { areDocumentsThere })
  const answers = [await app.inject('/readyz'), await app.inject('/readyz')]
  await app.close()
  return answers.map((answer) => [answer.statusCode, answer.json()])
}

test('reports an unavailable bucket, stays ready and probes once for concurrent requests', async () => {
  let probes = 0
  const away = async () => {
    probes += 1
    throw new DocumentStoreUnavailableError('GET: 403 AccessDenied')
  }
  const expected = [200, { status: 'ok', documents: 'unavailable' }]
  expect(await readyz(away)).toEqual([expected, expected])
  expect([probes, lines]).toEqual([1, ['document store unreachable: files can be neither read nor added']])
})

test('reports nothing for local files or a bucket that answers', async () => {
  const well = [200, { status: 'ok' }]
  expect(await readyz()).toEqual([well, well])
  expect(await readyz(async () => undefined)).toEqual([well, well])
})

test('answers a probe while the bucket hangs', async () => {
  expect((await readyz(() => new Promise(() => undefined)))[0]).toEqual([200, { status: 'ok' }])
})
