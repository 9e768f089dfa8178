import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RemoteCommandError, runRemoteCommand } from '#server/cli/run-remote-command.ts'
import { startControlServer } from '#server/http/operate/start-control-server.ts'

let folder: string
let socket: string
let control: { close(): Promise<void> }
let aborted: Promise<void>

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tamngan-control-'))
  socket = path.join(folder, 'control.sock')
  const gone = Promise.withResolvers<void>()
  aborted = gone.promise
  // A socket left behind by a killed server must not block the start.
  await writeFile(socket, '')
  control = await startControlServer(socket, {
    count: async (args, { emit }) => {
      for (let n = 1; n <= Number(args); n += 1) emit({ done: n })
      return { counted: args }
    },
    fail: () => Promise.reject(Object.assign(new Error('ไฟล์ว่างเปล่า'), { name: 'FeedFormatError' })),
    wait: (_args, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          gone.resolve()
          reject(signal.reason)
        })
      }),
  })
})
afterEach(async () => {
  await control.close()
  await rm(folder, { recursive: true, force: true })
})

test('streams progress and then the result of a command', async () => {
  const events: unknown[] = []
  expect(await runRemoteCommand(socket, 'count', 3, (event) => events.push(event))).toEqual({ counted: 3 })
  expect(events).toEqual([{ done: 1 }, { done: 2 }, { done: 3 }])
})

test('transfers the name and the message of a failure', async () => {
  const failure = runRemoteCommand(socket, 'fail', null)
  await expect(failure).rejects.toBeInstanceOf(RemoteCommandError)
  await expect(failure).rejects.toMatchObject({ name: 'FeedFormatError', message: 'ไฟล์ว่างเปล่า' })
})

test('refuses an unknown command, including names of Object.prototype', async () => {
  await expect(runRemoteCommand(socket, 'destroy', null)).rejects.toThrow('does not support the command destroy')
  await expect(runRemoteCommand(socket, 'constructor', null)).rejects.toThrow(
    'does not support the command constructor',
  )
})

test('makes the socket accessible to the owner only', async () => {
  expect((await stat(socket)).mode & 0o777).toBe(0o600)
})

test('aborts the command when its caller disconnects, and fails the call when the server closes', async () => {
  const call = runRemoteCommand(socket, 'wait', null)
  const rejection = expect(call).rejects.toThrow()
  await new Promise((resolve) => setTimeout(resolve, 100))
  await control.close()
  await rejection
  await aborted
})
