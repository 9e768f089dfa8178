import { Readable } from 'node:stream'
import { createDb } from '#server/platform/engine/create-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { hangAtWrite } from '../../../test/server/hang-at-write.ts'
import { appOn, signIn } from '../../../test/server/http-app.ts'
import { printAndHang, readArguments } from '../../../test/server/worker-process.ts'

// Uploads files of 300 kB one by one and attaches each to a note. Hangs after the `writes`-th write, or with 0 after a
// third of a request body.

const { url, documentsDir, round, writes } = readArguments('url', 'documentsDir', 'round', 'writes')
const openedDb = createDb(await openPostgres(url))
const { headers } = await signIn(await appOn(openedDb), 'manager@tharamek.example')
const db =
  Number(writes) === 0
    ? openedDb
    : hangAtWrite(openedDb, Number(writes), /note_files|document|pursuit_|audit_events|jobs/)
const app = await appOn(db, { settings: { documentsDir } })

async function* generateBody(n: number): AsyncGenerator<Buffer> {
  const content = Buffer.alloc(300_000, n)
  content.write(`%PDF-1.4 ${round}${n}`)
  yield content.subarray(0, 100_000)
  if (Number(writes) === 0) await printAndHang('under way')
  yield content.subarray(100_000)
}

for (let n = 1; n < 5; n += 1) {
  const id = `${round}-${n}`
  const sent = await app.inject({
    method: 'POST',
    url: `/api/v2/pursuits/67110000001/files/${id}`,
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    payload: Readable.from(generateBody(n + Number(writes) * 10)),
  })
  const noted = await app.inject({
    method: 'PATCH',
    url: '/api/v2/pursuits/67110000001',
    headers,
    payload: { actions: [{ action: 'add_note', id: `note-${id}`, text: id, files: [id] }] },
  })
  if (sent.statusCode !== 201 || noted.statusCode !== 200) throw new Error(sent.body + noted.body)
}
await printAndHang('over')
