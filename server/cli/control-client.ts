import { type IncomingMessage, request } from 'node:http'

/** A failure that a running server reported; `name` is the class it had there. */
export class RemoteFailure extends Error {
  constructor(name: string, message: string) {
    super(message)
    this.name = name
  }
}

/** The server ended while it was at work for this process. */
class ServerGone extends Error {
  override readonly name = 'ServerGone'
  constructor() {
    super('the server ended before it was done; what it had read is kept, run the command again to go on')
  }
}

type Line = { event?: unknown; result?: unknown; failure?: { name: string; message: string } }

/**
 * Has the running server do `command` and answers its result; `onEvent` gets the progress. Ending this process ends the command there.
 * Rejects with `RemoteFailure` as the server says, and with a plain error when nobody listens at `socketPath`.
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
    // A server that was killed breaks the connection off.
    throw new ServerGone()
  }
}
