import { createServer } from 'node:http'
import sql, { raw } from 'sql-template-tag'
import { createDb } from '#server/platform/engine/create-db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'

/** Serves the same database through concatenated SQL. Never use it outside this bench. */
export async function startInjectableTwin(url: string): Promise<{ base: string; stop(): Promise<void> }> {
  const db = createDb(await openPostgres(url))
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const sent = Buffer.concat(chunks).toString()
    try {
      const email =
        sent === '' ? new URL(request.url!, 'http://twin').searchParams.get('email') : JSON.parse(sent).email
      const rows = await db.query(sql`${raw(`select id, role from users where email_key = '${email}'`)}`)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows))
    } catch (error) {
      response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error))
    }
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  if (address === null || typeof address === 'string') throw new Error('the twin has no port')
  return {
    base: `http://127.0.0.1:${address.port}`,
    async stop() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
      await db.close()
    },
  }
}
