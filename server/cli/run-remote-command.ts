import { type IncomingMessage, request } from 'node:http'

export class RemoteCommandError extends Error {
  constructor(name: string, message: string) {
    super(message)
    this.name = name
  }
}

class ServerLost extends Error {
  override readonly name = 'ServerGone'
  constructor() {
    super(
      'the server stopped before the command finished; what it read so far is stored, run the command again to continue',
    )
  }
}

type ControlMessage = { event?: unknown; result?: unknown; failure?: { name: string; message: string } }

/**
 * Runs `command` in the running server and returns its result; `onEvent` receives progress. Ending this process aborts
 * the command. Rejects with `RemoteCommandError` for a failure on the server, and with a plain error when no server
 * listens at `socketPath`.
 */
export async function runRemoteCommand(
  socketPath: string,
  command: string,
  args: unknown,
  onEvent: (event: unknown) => void = () => undefined,
): Promise<unknown> {
  const response = await openControl(socketPath, command, args)
  for await (const text of linesOf(response)) {
    const message = JSON.parse(text) as ControlMessage
    if (message.failure !== undefined) throw new RemoteCommandError(message.failure.name, message.failure.message)
    if ('result' in message) return message.result
    onEvent(message.event)
  }
  throw new ServerLost()
}

function openControl(socketPath: string, command: string, args: unknown): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path: `/${command}`, method: 'POST' }, (response) => {
      if (response.statusCode === 200) resolve(response)
      else
        reject(new Error(`the running server does not support the command ${command}: it may be a different version`))
    })
    call.on('error', reject)
    call.end(JSON.stringify(args))
  })
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  let buffered = ''
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      const lines = `${buffered}${chunk}`.split('\n')
      buffered = lines.pop()!
      yield* lines
    }
  } catch {
    throw new ServerLost()
  }
}
