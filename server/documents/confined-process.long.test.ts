import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConfinedRun, parseAnswer, runConfined } from './confined-process.ts'

const PROGRAM = path.join(import.meta.dirname, 'attempts-for-tests.ts')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'confined-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function run(wanted: string, options: ConfinedRun = {}) {
  const name = path.join(folder, 'wanted')
  await writeFile(name, wanted)
  const file = await open(name)
  try {
    return await runConfined(PROGRAM, file, options)
  } finally {
    await file.close()
  }
}

describe('R63: the process over a stranger’s file', () => {
  test('reads the program alone, writes nowhere, starts nothing, makes no code, sees no setting', async () => {
    expect(parseAnswer((await run('everything')).answer!)).toEqual([])
  })

  test('writes into its folder when it is given one', async () => {
    const { answer } = await run('everything', { writes: folder })
    expect(parseAnswer(answer!)).toEqual(['write beside it'])
    expect(await readFile(path.join(folder, 'beside'), 'utf8')).toBe('x')
  })

  test.each([
    ['fill the heap', 'memory'],
    ['fill memory', 'memory'],
    ['say too much', 'too-large'],
    ['fail', 'crashed'],
  ])(
    '%s: %s',
    async (wanted, reason) => {
      expect(await run(wanted)).toEqual({ reason })
    },
    60_000,
  )

  test('is ended by who asked', async () => {
    await expect(run('loop', { signal: AbortSignal.timeout(300) })).rejects.toThrow('timeout')
  })
})

test('an answer that is no JSON is none', () => {
  expect(parseAnswer('{"a"')).toBeUndefined()
})
