import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseSandboxedProcessOutput, runSandboxedProcess, type SandboxedProcessOptions } from './confined-process.ts'

const PROGRAM = path.join(import.meta.dirname, 'attempts-for-tests.ts')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'confined-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function run(action: string, options: SandboxedProcessOptions = {}) {
  const name = path.join(folder, 'wanted')
  await writeFile(name, action)
  const file = await open(name)
  try {
    return await runSandboxedProcess(PROGRAM, file, options)
  } finally {
    await file.close()
  }
}

describe('R63: the sandbox for foreign files', () => {
  test('reads only the program, writes nowhere, starts no process, generates no code, sees no setting', async () => {
    expect(parseSandboxedProcessOutput((await run('everything')).answer!)).toEqual([])
  })

  test('writes only into a given folder', async () => {
    const { answer } = await run('everything', { writableFolder: folder })
    expect(parseSandboxedProcessOutput(answer!)).toEqual(['write beside it'])
    expect(await readFile(path.join(folder, 'beside'), 'utf8')).toBe('x')
  })

  test.each([
    ['fill the heap', 'memory'],
    ['fill memory', 'memory'],
    ['say too much', 'too-large'],
    ['fail', 'crashed'],
  ])(
    '%s: %s',
    async (action, reason) => {
      expect(await run(action)).toEqual({ reason })
    },
    60_000,
  )

  test('ends when its caller aborts', async () => {
    await expect(run('loop', { signal: AbortSignal.timeout(300) })).rejects.toThrow('timeout')
  })
})

test('rejects an answer that is not JSON', () => {
  expect(parseSandboxedProcessOutput('{"a"')).toBeUndefined()
})
