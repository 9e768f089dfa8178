import { chmod, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/**
 * A command that the command line sends to the running server. `emit` sends a JSON line of progress; the signal aborts
 * when the caller disconnects.
 */
export type ControlCommand = (
  args: unknown,
  io: { emit(event: unknown): void; readonly signal: AbortSignal },
) => Promise<unknown>

const MAX_BODY_BYTES = 64 * 1024

/**
 * Serves the command line while this server has the embedded database open: HTTP over a socket that only its owner may
 * open. `POST /<command>` with JSON arguments is answered by JSON lines: `{"event": …}` while it runs, finally
 * `{"result": …}` or `{"failure": {"name", "message"}}`. An existing `socketPath` is replaced, since the process with
 * the folder's lock owns it.
 */
export async function startControlServer(
  socketPath: string,
  commands: Readonly<Record<string, ControlCommand>>,
): Promise<{ close(): Promise<void> }> {
  const server = createServer((request, response) => {
    handleCommand(request, response, commands).catch((error: unknown) => response.destroy(error as Error))
  })
  // Disable Node's request timeout: a data load may take longer than any browser request.
  server.requestTimeout = 0
  await rm(socketPath, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    const mask = process.umask(0o177)
    server.listen(socketPath, resolve)
    process.umask(mask)
  })
  if (process.platform !== 'win32') await chmod(socketPath, 0o600)
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function handleCommand(
  request: IncomingMessage,
  response: ServerResponse,
  commands: Readonly<Record<string, ControlCommand>>,
): Promise<void> {
  const name = (request.url ?? '').slice(1)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (request.method !== 'POST' || command === undefined) {
    response.writeHead(404).end()
    return
  }
  const disconnect = new AbortController()
  response.on('close', () => disconnect.abort(new Error('the client disconnected')))
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  const send = (payload: object) => response.write(`${JSON.stringify(payload)}\n`)
  try {
    const args: unknown = JSON.parse(await readBody(request))
    const result = await command(args, { emit: (event) => send({ event }), signal: disconnect.signal })
    send({ result: result ?? null })
  } catch (error) {
    const { name: kind, message } = error as Error
    send({ failure: { name: kind, message } })
  }
  response.end()
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk
    if (body.length > MAX_BODY_BYTES) throw new Error('the arguments are too long')
  }
  return body
}
