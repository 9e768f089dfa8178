import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runRemoteCommand } from '#server/cli/run-remote-command.ts'

const MAIN = path.join(import.meta.dirname, '../main.ts')
const at = mkdtempSync(path.join(tmpdir(), 'tamngan-folder-'))
const [small, readOnly] = [path.join(at, 'small'), path.join(at, 'read-only')]
const isMounted = mounted(small, 'size=60m') && mounted(readOnly, 'ro,size=60m')
if (!isMounted)
  console.warn(
    '\n*** Only root may mount a disk: the tests of disks that are too small or read-only are SKIPPED. ***\n',
  )
afterAll(() => {
  if (isMounted) execFileSync('umount', ['--lazy', small, readOnly])
  rmSync(at, { recursive: true, force: true })
})

function mounted(folder: string, options: string): boolean {
  mkdirSync(folder)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tamngan-test', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe.skipIf(!isMounted)('an unusable data folder ends the command with one sentence', () => {
  test.each([
    [
      'a disk too small for the first start',
      ['serve'],
      small,
      /^DATA_DIR: \S+ has \d+ MB free, and the first start needs 1000 MB/,
    ],
    [
      'a disk that can only be read',
      ['serve'],
      path.join(readOnly, 'data'),
      /^\S+: the folder cannot be created; is the disk read-only\? \(ENOENT\)$/,
    ],
    ['the same of an import', ['import', 'x.csv'], readOnly, /^\S+: the disk is read-only \(EROFS\)$/],
  ])('%s', (_what, args, folder, sentence) => {
    const env = { ...process.env, DATA_DIR: folder, PORT: '0', NODE_ENV: '', DATABASE_URL: '', SEED: '' }
    const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], { env, encoding: 'utf8', timeout: 60_000 })
    expect([status, stderr.trim().split('\n')]).toEqual([1, [expect.stringMatching(sentence)]])
  })
})

test('reports in one sentence that the server died during a command', async () => {
  const socketPath = path.join(at, 'control.sock')
  const server = createServer((_request, response) => {
    response.writeHead(200).write('{"event":1}\n', () => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  const failure = await runRemoteCommand(socketPath, 'import', null).catch((error: unknown) => error)
  expect(failure).toMatchObject({
    name: 'ServerGone',
    message: expect.stringMatching(/^the server stopped before the command finished; /),
  })
  server.close()
})
