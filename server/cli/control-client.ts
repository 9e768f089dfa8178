import { type IncomingMessage, request } from 'node:http'

/** A failure reported by the running server; `name` is the class name there. */
export class RemoteFailure extends Error {
  constructor(name: string, message: string) {
    super(message)
    this.name = name
  }
}

class ServerGone extends Error {
  override readonly name = 'ServerGone'
  constructor() {
    super('the server ended before it was done; what it had read is kept, run the command again to go on')
  }
}

type Line = { event?: unknown; result?: unknown; failure?: { name: string; message: string } }

/**
 * Runs `command` in the running server and returns its result; `onEvent` receives progress. Ending this process aborts
 * the command. Rejects with `RemoteFailure` for a failure on the server, and with a plain error when no server listens
 * at `socketPath`.
 */
export async function callControl(
  socketPath: string,
  command: string,
  args: unknown,
  onEvent: (event: unknown) => void = () => undefined,
): Promise<unknown> {
  const response = await open(socketPath, command, args)
  for await (const text of linesOf(response)) {
    const line = JSON.parse(text) as Line
    if (line.failure !== undefined) throw new RemoteFailure(line.failure.name, line.failure.message)
    if ('result' in line) return line.result
    onEvent(line.event)
  }
  throw new ServerGone()
}

function open(socketPath: string, command: string, args: unknown): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path: `/${command}`, method: 'POST' }, (response) => {
      if (response.statusCode === 200) resolve(response)
      else reject(new Error(`the running server does not know the command ${command}: is it another version?`))
    })
    call.on('error', reject)
    call.end(JSON.stringify(args))
  })
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  let rest = ''
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      const lines = `${rest}${chunk}`.split('\n')
      rest = lines.pop()!
      yield* lines
    }
  } catch {
    // A killed server breaks off the connection.
    throw new ServerGone()
  }
}
