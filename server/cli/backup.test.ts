import { describe, expect, test } from 'vitest'
import { backupCommand, restoreCommand } from './backup.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './terminal.ts'

const SUMS = { rows: 1_234, tables: 66, seconds: 2 }

function terminalTo(lines: string[]): Terminal {
  return { isTty: false, log: (line) => lines.push(line), redraw: () => undefined }
}

describe('backup and restore', () => {
  test('a backup says what it holds, for how long the server waited, and what it does not hold', async () => {
    const lines: string[] = []
    const make = async (file: string) => ({ ...SUMS, file, bytes: 3 * 2 ** 20, isEncrypted: false, pausedMs: 181.4 })
    await backupCommand(['a.gz'], make, terminalTo(lines))
    expect(lines).toEqual([
      'a.gz: 1,234 rows of 66 tables, 3.0 MB, in 2.0 s',
      'the server waited 181 ms for it',
      'not encrypted: whoever has the file reads everything in it (BACKUP_KEY). AUTH_SECRET is not in it: keep it apart',
    ])
    const sealed: string[] = []
    await backupCommand(['a.gz'], async (file) => ({ ...(await make(file)), isEncrypted: true }), terminalTo(sealed))
    expect(sealed.at(-1)).toBe('encrypted with BACKUP_KEY: keep that apart, and AUTH_SECRET, which is not in it')
  })

  test('what is there is thrown away only where --replace is said', async () => {
    const asked: object[] = []
    const restore = async (request: object) => {
      asked.push(request)
      return { ...SUMS, madeAt: '2026-11-21T00:00:00.000Z', engine: 'PGlite 18', migration: '0014.sql' }
    }
    await restoreCommand(['a.gz'], restore, terminalTo([]))
    await restoreCommand(['--replace', 'a.gz'], restore, terminalTo([]))
    expect(asked).toEqual([
      { file: 'a.gz', replace: false },
      { file: 'a.gz', replace: true },
    ])
  })

  test.each([[[]], [['a', 'b']], [['a', '--replace']], [['a', '--force']]])(
    'backup %j is told how it goes',
    async (args) => {
      const never = () => Promise.reject(new Error('asked'))
      await expect(backupCommand(args, never, terminalTo([]))).rejects.toBeInstanceOf(UsageError)
    },
  )
})
